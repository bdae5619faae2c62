import Foundation
import TestSupport
import Testing

@testable import Hearth

@Suite("The check of pictures")
struct PictureCheckTests {
  @Test func `a picture that a server removes meanwhile is sound, and one that is missing is not`() async throws {
    try await TestServer.run(database: .sqlite) { server in
      let ada = try await Household(on: server)
      var items: [String] = []
      for width in 1...2 {
        let photo = SamplePicture.jpeg(width: width)
        let added = try await ada.parent.perform(Documents.addItem, ["name": "Tent"], files: ["photo": photo])
        items.append(try #require(added["item.id"].string))
      }
      let database = DataDirectory.databasePath(in: server.directory.path)
      let folder = MediaFolder(path: DataDirectory.mediaPath(in: server.directory.path))
      let (hasReadRows, mayReadFiles) = (Gate(), DispatchSemaphore(value: 0))
      let checking = TestThread {
        var check = try PictureCheck(of: database, folder)
        let content = check.content
        check.content = { hash in
          hasReadRows.open()
          mayReadFiles.wait()
          mayReadFiles.signal()
          return try content(hash)
        }
        return try check.faults()
      }
      await hasReadRows.pass()
      let removed = try await ada.parent.perform(Documents.removeItem, ["id": .string(items[0])])
      #expect(removed.userErrors == [], "\(removed)")
      while server.pictureFiles.count > 1 { await Task.yield() }
      let file = "\(folder.path)/\(try #require(server.pictureFiles.first))"
      try FileManager.default.removeItem(atPath: file)
      mayReadFiles.signal()
      #expect(try await checking.value == ["The file \(file) does not exist or cannot be read."])
    }
  }
}
