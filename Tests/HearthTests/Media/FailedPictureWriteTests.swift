import Foundation
import Storage
import TestSupport
import Testing

@testable import Hearth

/// A commit that cannot be synchronized can be found in the log by the next start, unless another one has overwritten
/// it (`StorageTests/FaultTests`). The file of its picture must stay until then.
@Suite("Pictures of writes that fail")
struct FailedPictureWriteTests {
  private struct Failed: Error {}

  @Test(.onlySQLite("It looks at the file's version."))
  func `the file is removed by a write that is stored`() async throws {
    try await TestServer.run { server in
      let services = server.services
      let picture = try await services.pictures.examine(SamplePicture.png()[...], for: 1)
      // Other connections see a version of their own.
      let reader = try server.reader()
      let sql = WrittenOnce.sql("PRAGMA data_version")
      func version() throws -> Int64? {
        defer { reader.endRead() }
        var found: Int64?
        try reader.statement(sql).forEachRow { row in found = row.int64(0) }
        return found
      }
      let before = try version()
      await #expect(throws: Failed.self) {
        try await services.pictures.holding(picture, for: 1, of: services.database) { throw Failed() }
      }
      #expect(server.pictureFiles.isEmpty)
      #expect(try version() != before)
    }
  }

  @Test(.onlySQLite("With PostgreSQL the file is a copy, which an upload does not need."))
  func `an upload whose file cannot be written fails as STORAGE_UNAVAILABLE`() async throws {
    let log = RecordedLog()
    try await TestServer.run(log: log.logger) { server in
      let ada = try await Household(on: server)
      let photo = ["photo": SamplePicture.png()]
      // Nothing can be created in what is not a folder.
      let folder = server.directory.path + "/media/incoming"
      try FileManager.default.removeItem(atPath: folder)
      #expect(FileManager.default.createFile(atPath: folder, contents: nil))
      let failed = try await ada.parent.perform(Documents.addItem, ["name": "Tent"], files: photo)
      #expect(failed.codes == ["STORAGE_UNAVAILABLE"], "\(failed)")
      #expect(try await ada.parent.itemNames() == [])
      let messages = log.messages.filter { $0.contains("A write could not be stored.") }
      #expect(messages.count == 1 && messages[0].contains("Not a directory"), "\(messages)")
      try FileManager.default.removeItem(atPath: folder)
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      let added = try await ada.parent.perform(Documents.addItem, ["name": "Tent"], files: photo)
      #expect(added.userErrors == [], "\(added)")
    }
  }
}
