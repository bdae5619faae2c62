import Foundation
import TestSupport
import Testing

@testable import Hearth

@Suite(
  "Pictures are served in sizes",
  .enabled(if: LargePictures.areAvailable, "libvips or Pillow is not installed."),
  .timeLimit(.minutes(5))
)
struct ScaledPictureTests {
  private static let sizes = """
    query ($width: Int, $height: Int, $fit: ImageFit! = CONTAIN) { family { items(first: 1) { nodes { photo {
      original: url scaled: url(width: $width, height: $height, fit: $fit) thumbHash contentType width height } } } } }
    """

  /// Uploads a picture and asks for a size.
  private static func photo(
    _ picture: [UInt8],
    by ada: Household,
    _ area: Value = ["width": 200]
  ) async throws -> Value {
    _ = try await ada.parent.perform(Documents.addItem, ["name": "Tent"], files: ["photo": picture])
    return try await ada.parent.ask(sizes, area)["data.family.items.nodes.0.photo"]
  }

  private static func load(_ photo: Value, on server: TestServer, _ headers: [(String, String)] = []) async throws
    -> HTTPAnswer
  {
    try await server.visitor.load(["url": photo["scaled"]], headers: headers)
  }

  @Test func `of each format, with its colours, upright, and in a format that browsers show`() async throws {
    let pictures = try await LargePictures()
    try await TestServer.runScaling { server in
      let ada = try await Household(on: server)
      let colours: [Value] = [[200, 30, 30], [30, 30, 200]]
      let grays: [Value] = [[81, 81, 81], [49, 49, 49]]
      for (name, format, width, height) in [
        ("jpeg", "JPEG", 256, 171), ("heic", "JPEG", 256, 171), ("webp", "WEBP", 256, 171), ("png", "WEBP", 256, 171),
        ("turned", "JPEG", 341, 512), ("little", "JPEG", 60, 40), ("gray", "JPEG", 256, 171),
      ] {
        let photo = try await Self.photo(try pictures[name], by: ada)
        let answer = try await Self.load(photo, on: server)
        #expect(answer.status == 200 && answer.headers["content-type"] == "image/\(format.lowercased())", "\(name)")
        #expect(answer.headers["cache-control"] == "private, max-age=31536000, immutable")
        let seen = try await LargePictures.look(at: answer.body)
        #expect(seen["format"] == .string(format), "\(name)")
        #expect(seen["width"] == .number(Double(width)) && seen["height"] == .number(Double(height)), "\(name)")
        for (end, colour) in zip(seen["ends"].list, name == "gray" ? grays : colours) {
          for (found, expected) in zip(end.list, colour.list) {
            let difference = abs((found.int ?? -99) - (expected.int ?? 0))
            #expect(difference <= 6, "\(name) \(end)")
          }
        }
        // As it was uploaded, but for the location.
        let original = try await server.visitor.load(["url": photo["original"]])
        #expect(original.body == (try pictures[name]), "\(name)")
        #expect(Data(base64Encoded: photo["thumbHash"].string ?? "").map { 17...30 ~= $0.count } == true, "\(name)")
      }
    }
  }

  @Test func `the smallest that has the pixels of the area`() async throws {
    let pictures = try await LargePictures()
    try await TestServer.runScaling { server in
      let ada = try await Household(on: server)
      _ = try await Self.photo(try pictures["jpeg"], by: ada)
      // Of 1200 by 800 pixels.
      for (area, size) in [
        (["width": 128], 128), (["width": 129], 256), (["height": 171], 512), (["height": 170], 256),
        (["width": 200, "height": 200], 256), (["width": 200, "height": 200, "fit": "COVER"], 512),
        (["width": 1000], 1024), (["width": 1025], nil), (["width": 99_999], nil), (["width": nil], nil), ([:], nil),
      ] as [(Value, Int?)] {
        let photo = try await ada.parent.ask(Self.sizes, area)["data.family.items.nodes.0.photo"]
        let path = photo["scaled"].string ?? ""
        if let size {
          #expect(path.contains("/\(size)/"), "\(area): \(path)")
        } else {
          #expect(photo["scaled"] == photo["original"], "\(area)")
        }
      }
      let wrong = try await ada.parent.ask(Self.sizes, ["width": 0])
      #expect(wrong["errors.0.extensions.code"] == "BAD_USER_INPUT")
      #expect(wrong["errors.0.message"] == "`width` is 0, but must be at least 1.")
      // A drawing has no sizes.
      let drawn = try await ada.parent.ask(
        "{ viewer { ... on Account { avatar { thumbHash url small: url(width: 9) } } } }"
      )
      let avatar = drawn["data.viewer.avatar"]
      #expect(avatar["url"] == avatar["small"] && avatar["url"] != .null && avatar["thumbHash"] == .null, "\(drawn)")
      // HEIC never stays what it is, as large as it may be.
      let heic = try await Self.photo(try pictures["heic"], by: ada, ["width": 99_999])
      #expect(heic["scaled"].string?.contains("/2048/") == true)
    }
  }

  @Test func `each is made once and kept, and its address cannot be changed`() async throws {
    let (pictures, directory) = (try await LargePictures(), try TemporaryDirectory())
    let script = try Self.counting(in: directory)
    func runs() -> Int { (try? String(contentsOfFile: directory.path + "/runs", encoding: .utf8))?.count ?? 0 }
    try await TestServer.runScaling(program: script) { server in
      let ada = try await Household(on: server)
      let photo = try await Self.photo(try pictures["jpeg"], by: ada)
      let before = runs()
      try await withThrowingTaskGroup(of: [UInt8].self) { group in
        for _ in 0..<8 { group.addTask { try await Self.load(photo, on: server).body } }
        var bodies: Set<[UInt8]> = []
        for try await body in group { bodies.insert(body) }
        #expect(bodies.count == 1)
      }
      #expect(runs() == before + 1)
      #expect(server.scaledFiles.count == 1 && server.scaledFiles[0].hasSuffix("-256"))
      let answer = try await Self.load(photo, on: server)
      #expect(runs() == before + 1)
      let tag = try #require(answer.headers["etag"])
      #expect(try await Self.load(photo, on: server, [("If-None-Match", tag)]).status == 304)
      #expect(try await Self.load(photo, on: server, [("Range", "bytes=0-9")]).body == Array(answer.body.prefix(10)))
      let url = try #require(photo["scaled"].string)
      for (old, new) in [("/256/", "/512/"), ("/256/", "/257/"), ("/256/", "/"), (".jpg", ".webp")] {
        #expect(try await server.visitor.load(["url": .string(url.replacing(old, with: new))]).status == 404, "\(new)")
      }
    }
  }

  /// A program that scales pictures and adds a character to the file `runs` each time.
  private static func counting(in directory: TemporaryDirectory) throws -> String {
    let script = directory.path + "/counting"
    let text = "#!/bin/sh\nprintf x >> \(directory.path)/runs\nexec \(try Program.executable().path) \"$@\"\n"
    try text.write(toFile: script, atomically: true, encoding: .utf8)
    chmod(script, 0o700)
    return script
  }

  @Test func `one that cannot be kept is served all the same`() async throws {
    let (pictures, log) = (try await LargePictures(), RecordedLog())
    try await TestServer.runScaling(log: log) { server in
      let ada = try await Household(on: server)
      // Nothing can be created in what is not a folder.
      let folder = server.directory.path + "/scaled/incoming"
      try FileManager.default.removeItem(atPath: folder)
      #expect(FileManager.default.createFile(atPath: folder, contents: nil))
      let photo = try await Self.photo(try pictures["jpeg"], by: ada)
      for _ in 1...2 {
        let answer = try await Self.load(photo, on: server)
        #expect(answer.headers["cache-control"] == "private, max-age=31536000, immutable")
        #expect(try await LargePictures.look(at: answer.body)["width"] == 256)
      }
      #expect(server.scaledFiles == [])
      let messages = log.messages.filter { $0.hasPrefix("Scaled pictures cannot be kept") }
      #expect(messages.count == 1 && messages[0].contains("Not a directory"), "\(messages)")
    }
  }

  @Test func `none outlives its picture, not even a restart`() async throws {
    let (pictures, directory) = (try await LargePictures(), try TemporaryDirectory())
    try await TestServer.runScaling(in: directory) { server in
      let ada = try await Household(on: server)
      let photo = try await Self.photo(try pictures["jpeg"], by: ada)
      #expect(try await Self.load(photo, on: server).status == 200)
      #expect(server.scaledFiles.count == 1)
      let item = try await ada.parent.ask("{ family { items(first: 1) { nodes { id } } } }")
      _ = try await ada.parent.perform(Documents.removeItem, ["id": item["data.family.items.nodes.0.id"]])
      #expect(server.scaledFiles == [] && server.pictureFiles == [])
      #expect(try await Self.load(photo, on: server).status == 404)
      let other = try await Self.photo(try pictures["webp"], by: ada)
      #expect(try await Self.load(other, on: server).status == 200)
    }
    // As if the server had been killed between the removal of a picture and that of its sizes.
    let left = directory.path + "/scaled/ab/" + String(repeating: "0", count: 62) + "-128"
    let folder = URL(fileURLWithPath: left).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data([1]).write(to: URL(fileURLWithPath: left))
    try await TestServer.runScaling(in: directory) { server in
      #expect(server.scaledFiles.count == 1 && server.scaledFiles[0].hasSuffix("-256"))
    }
  }

  @Test func `an erased person's are gone`() async throws {
    let pictures = try await LargePictures()
    try await TestServer.runScaling { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia", username: "mia")
      let avatar = ["avatar": try pictures["jpeg"]]
      let changed = try await ada.parent.perform(Documents.updateChild, ["id": .string(mia)], files: avatar)
      try #require(changed.userErrors == [], "\(changed)")
      let url = "{ family { children { avatar { url(width: 200) thumbHash } } } }"
      let photo = try await ada.parent.ask(url)["data.family.children.0.avatar"]
      #expect(try await server.visitor.load(photo).status == 200)
      #expect(server.scaledFiles.count == 1 && photo["thumbHash"] != .null)
      _ = try await ada.deleteAccount()
      server.clock.advance(days: 30)
      try await server.erasures(become: 1)
      #expect(server.scaledFiles == [] && server.pictureFiles == [])
      #expect(try server.rows("SELECT count(*) FROM picture", columns: 1) == [[0]])
    }
  }

  @Test func `within a limit, by which those that were not used longest are removed`() async throws {
    let directory = try TemporaryDirectory()
    let (media, scaled) = (directory.path + "/media", directory.path + "/scaled")
    let originals = MediaFolder(path: media)
    try originals.prepare()
    let cache = ScaledPictureCache(MediaFolder(path: scaled), of: originals, limit: 1_000)
    try cache.load()
    let hashes = (0..<10 as Range<UInt8>).map { PictureHash(of: [$0]) }
    for (number, hash) in hashes.enumerated() {
      try originals.write([UInt8(number)], as: hash)
      try cache.add([UInt8](repeating: 7, count: 100), as: hash, .small)
    }
    #expect(cache.byteCount == 1_000)
    // Used last, although it was added first.
    #expect(try cache.read(hashes[0], size: .small)?.count == 100)
    try cache.add([UInt8](repeating: 7, count: 100), as: hashes[9], .large)
    #expect(cache.byteCount == 900)
    #expect(
      try hashes.map { try cache.read($0, size: .small) != nil } == [true, false, false]
        + Array(repeating: true, count: 7)
    )
    // The next start removes what has no picture, and then the oldest.
    originals.remove(hashes[3])
    for (age, hash) in hashes.enumerated() where age > 3 {
      let file = MediaFolder(path: scaled).path(of: hash, .small)
      let date = Date(timeIntervalSinceNow: Double(-100 * age))
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file)
    }
    let again = ScaledPictureCache(MediaFolder(path: scaled), of: originals, limit: 500)
    try again.load()
    #expect(again.byteCount == 400)
    #expect(try (0..<10).filter { try again.read(hashes[$0], size: .small) != nil } == [0, 4, 5])
    #expect(try again.read(hashes[9], size: .large) != nil)
  }

  @Test func `a size that is finished after its picture was removed is not kept`() async throws {
    let directory = try TemporaryDirectory()
    let originals = MediaFolder(path: directory.path + "/media")
    try originals.prepare()
    let cache = ScaledPictureCache(MediaFolder(path: directory.path + "/scaled"), of: originals, limit: 1_000)
    try cache.load()
    let hash = PictureHash(of: [1])
    try cache.add([7], as: hash, .small)
    #expect(try cache.byteCount == 0 && cache.read(hash, size: .small) == nil)
    #expect(
      !FileManager.default.fileExists(atPath: MediaFolder(path: directory.path + "/scaled").path(of: hash, .small))
    )
  }

  @Test func `a part of the data that backups leave out`() async throws {
    let pictures = try await LargePictures()
    try await TestServer.runScaling { server in
      guard server.database == .sqlite else { return }
      let ada = try await Household(on: server)
      #expect(try await Self.load(try await Self.photo(try pictures["jpeg"], by: ada), on: server).status == 200)
      let backup = try TemporaryDirectory()
      try Maintenance.backup(.folder(server.directory.path), to: backup.path + "/hearth.db")
      #expect(TestServer.pictureFiles(in: backup).count == 1)
      #expect(!FileManager.default.fileExists(atPath: backup.path + "/scaled"))
    }
  }
}
