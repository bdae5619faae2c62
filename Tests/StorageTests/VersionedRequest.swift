import Storage
import Testing

/// What one request has read of a database, which the next ones check.
struct VersionedRequest {
  private let readers: LoopReaders
  private let version: DataVersion

  init(_ database: Database, _ read: (Reader) throws -> Void) throws {
    readers = database.makeLoopReaders(on: NoLoop())
    let reader = try readers.take()
    #expect(reader.beginVersionedRead())
    try read(reader)
    version = try #require(reader.dataVersion)
    readers.giveBack(reader)
  }

  var isCurrent: Bool { get throws { try readers.take().isCurrent(version) } }
}
