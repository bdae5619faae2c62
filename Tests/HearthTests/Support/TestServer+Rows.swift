import Storage
import TestSupport

@testable import Hearth

extension TestServer {
  /// A reader of the data, which no client ever has.
  func reader() throws -> Reader {
    switch database {
    case .sqlite, .deferred: try Database.reader(of: DataDirectory.databasePath(in: directory.path))
    case .postgresql: try services.database.makeReader()
    }
  }

  /// Numbers of the data as stored, which no client ever sees.
  func rows(_ text: String, columns: Int) throws -> [[Int64]] {
    let reader = try reader()
    defer { reader.endRead() }
    var rows: [[Int64]] = []
    try reader.statement(WrittenOnce.sql(text)).forEachRow { row in rows.append((0..<columns).map { row.int64($0) }) }
    return rows
  }
}
