import Foundation
import TestSupport
import Testing

@testable import Hearth

@Suite("Copies of the pictures in a PostgreSQL database", .timeLimit(.minutes(5)))
struct PictureCopiesTests {
  @Test func `within a limit, by which those that were not used longest are removed`() throws {
    let directory = try TemporaryDirectory()
    let folder = MediaFolder(path: directory.path + "/media")
    try folder.prepare()
    let copies = PictureCopies(folder, limit: 1_000, log: TestServer.silentLog)
    copies.load()
    let pictures = (0..<11 as Range<UInt8>).map { [UInt8](repeating: $0, count: 100) }
    let hashes = pictures.map { PictureHash(of: $0[...]) }
    for (picture, hash) in zip(pictures, hashes).prefix(10) { copies.add(picture[...], as: hash) }
    #expect(copies.byteCount == 1_000)
    // Used last, although it was added first.
    #expect(try copies.read(hashes[0]) == pictures[0])
    copies.add(pictures[10][...], as: hashes[10])
    #expect(copies.byteCount == 900)
    #expect((0..<11).filter { folder.has(hashes[$0]) } == [0] + Array(3..<11))
    // The same again, and a picture that alone is too large, change nothing.
    copies.add(pictures[10][...], as: hashes[10])
    let large = [UInt8](repeating: 1, count: 1_001)
    copies.add(large[...], as: PictureHash(of: large[...]))
    #expect(copies.byteCount == 900 && !folder.has(PictureHash(of: large[...])))
    copies.remove(hashes[0])
    #expect(try copies.byteCount == 800 && copies.read(hashes[0]) == nil)
    // The next start orders them by the times of the files.
    for (age, hash) in hashes.enumerated() where folder.has(hash) {
      let date = Date(timeIntervalSinceNow: Double(-100 * age))
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: folder.path(of: hash))
    }
    let again = PictureCopies(folder, limit: 500, log: TestServer.silentLog)
    again.load()
    #expect(again.byteCount == 400)
    #expect((0..<11).filter { folder.has(hashes[$0]) } == [3, 4, 5, 6])
  }

  @Test(.enabled(if: PostgreSQLCluster.isInstalled, "Scripts/install-postgresql installs PostgreSQL."))
  func `a server with a small limit serves all pictures`() async throws {
    // Each has other bytes, and the same number of them.
    let pictures = (0..<6 as Range<UInt8>).map { SamplePicture.jpeg(xmp: [UInt8](repeating: 0x20 + $0, count: 500)) }
    let limit = 2 * pictures[0].count
    let configure: (inout Configuration) -> Void = { $0.pictureCacheBytes = limit }
    try await TestServer.run(database: .postgresql, configure: configure) { server in
      let ada = try await Household(on: server)
      var photos: [Value] = []
      for picture in pictures {
        let added = try await ada.parent.perform(Documents.addItem, ["name": "Tent"], files: ["photo": picture])
        photos.append(added["item.photo"])
      }
      for _ in 1...2 {
        for (photo, picture) in zip(photos, pictures) {
          #expect(try await server.visitor.load(photo).body == picture)
          #expect((1...2).contains(server.pictureFiles.count))
        }
      }
    }
  }

  @Test(.enabled(if: PostgreSQLCluster.isInstalled, "Scripts/install-postgresql installs PostgreSQL."))
  func `an upload does not need its copy to be written`() async throws {
    let log = RecordedLog()
    try await TestServer.run(database: .postgresql, log: log.logger) { server in
      let ada = try await Household(on: server)
      // Nothing can be created in what is not a folder.
      let folder = server.directory.path + "/media/incoming"
      try FileManager.default.removeItem(atPath: folder)
      #expect(FileManager.default.createFile(atPath: folder, contents: nil))
      let picture = SamplePicture.jpeg()
      let added = try await ada.parent.perform(Documents.addItem, ["name": "Tent"], files: ["photo": picture])
      #expect(added.userErrors == [], "\(added)")
      #expect(server.pictureFiles.isEmpty && server.services.pictures.databasePictures?.copies.byteCount == 0)
      for _ in 1...2 { #expect(try await server.visitor.load(added["item.photo"]).body == picture) }
      let messages = log.messages.filter { $0.contains("Copies of pictures cannot be kept") }
      #expect(messages.count == 1 && messages[0].contains("Not a directory"), "\(messages)")
    }
  }
}

@Suite(
  "Sizes of the pictures in a PostgreSQL database",
  .enabled(if: PostgreSQLCluster.isInstalled, "Scripts/install-postgresql installs PostgreSQL."),
  .timeLimit(.minutes(5))
)
struct PostgreSQLPictureSizeTests {
  @Test(arguments: DatabaseHints.allCases)
  func `a size outlives its evicted original, but not its picture, at any server`(hints: DatabaseHints) async throws {
    try await TestServer.runSeveral(2, configure: { $0.databaseHints = hints }) { servers in
      let (ada, other) = (try await Household(on: servers[0]), servers[1])
      let picture = ["photo": SamplePicture.jpeg(width: 300)]
      _ = try await ada.parent.perform(Documents.addItem, ["name": "Tent"], files: picture)
      let items = "{ family { items(first: 1) { nodes { id photo { url(width: 100) } } } } }"
      let item = try await ada.parent.at(other).ask(items)["data.family.items.nodes.0"]
      // Loads the original, because nothing scales it here.
      #expect(try await other.visitor.load(item["photo"]).status == 200)
      let pictures = other.services.pictures
      let name = try #require(other.pictureFiles.first)
      let hash = try #require(PictureHash(hexadecimal: name.replacing("/", with: "")))
      let size: [UInt8] = [7, 7, 7]
      try pictures.cache.add(size, as: hash, .tiny)
      // As other pictures do that are loaded later.
      pictures.databasePictures?.copies.remove(hash)
      #expect(try await other.visitor.load(item["photo"]).body == size)

      #expect(try await ada.parent.perform(Documents.removeItem, ["id": item["id"]]).userErrors == [])
      // A process does so every hour, and gets no message.
      if hints == .poll { pictures.removeCopiesWithoutRow(of: other.services.database) }
      while pictures.cache.byteCount > 0 { await Task.yield() }
      #expect(try await other.visitor.load(item["photo"]).status == 404)
    }
  }
}
