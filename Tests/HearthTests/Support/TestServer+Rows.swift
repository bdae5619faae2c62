import Storage

@testable import Hearth

extension TestServer {
  /// Numbers of the data as stored in the file, which no client ever sees.
  func rows(_ text: String, columns: Int) throws -> [[Int64]] {
    let reader = try Database.reader(of: DataDirectory.databasePath(in: directory.path))
    var rows: [[Int64]] = []
    try reader.statement(WrittenOnce.sql(text)).forEachRow { row in rows.append((0..<columns).map { row.int64($0) }) }
    return rows
  }
}
