import Basics
import Foundation
import Glibc
import TestSupport
import Testing

@testable import Hearth

@Suite(
  "Pictures that harm decoders cost bounded time and memory",
  .enabled(if: LargePictures.areAvailable, "libvips or Pillow is not installed."),
  .timeLimit(.minutes(5))
)
struct HostilePictureTests {
  private static let scaled = """
    { family { items(first: 1) { nodes { photo { url: url(width: 200) thumbHash } } } } }
    """

  private static func upload(_ picture: [UInt8], by ada: Household) async throws -> Value {
    let added = try await ada.parent.perform(Documents.addItem, ["name": "Tent"], files: ["photo": picture])
    try #require(added.userErrors == [], "\(added)")
    return try await ada.parent.ask(scaled)["data.family.items.nodes.0.photo"]
  }

  /// What is served is either a size, or the picture as it is, for a few minutes.
  private static func expectServed(_ photo: Value, _ picture: [UInt8], on server: TestServer) async throws -> Bool {
    let answer = try await server.visitor.load(photo)
    #expect(answer.status == 200)
    if answer.body == picture {
      #expect(answer.headers["cache-control"] == "private, max-age=300")
      return false
    }
    #expect(answer.headers["cache-control"] == "private, max-age=31536000, immutable")
    return true
  }

  @Test func `large ones are scaled within the limits, and others are served as they are`() async throws {
    let pictures = try await LargePictures()
    let log = RecordedLog()
    try await TestServer.runScaling(log: log) { server in
      let ada = try await Household(on: server)
      for name in ["progressive", "bomb", "empty", "garbage", "noise"] {
        let picture = try pictures[name]
        let photo = try await Self.upload(picture, by: ada)
        let isScaled = try await Self.expectServed(photo, picture, on: server)
        if name == "noise" { #expect(isScaled) }
      }
      // Without pixels: other programs made neither.
      for picture in [SamplePicture.jpeg(width: 900, height: 700), SamplePicture.png(width: 900, height: 700)] {
        let photo = try await Self.upload(picture, by: ada)
        _ = try await Self.expectServed(photo, picture, on: server)
      }
      #expect(try await ada.parent.ask("{ family { items { totalCount } } }")["data.family.items.totalCount"] == 7)
    }
  }

  @Test func `parts that are missing or wrong`() async throws {
    let pictures = try await LargePictures()
    try await TestServer.runScaling { server in
      let ada = try await Household(on: server)
      var generator = SeededGenerator(seed: 17)
      for name in ["jpeg", "png", "webp", "heic"] {
        let whole = try pictures[name]
        for round in 0..<4 {
          var picture = whole
          if round == 0 {
            picture.removeLast(whole.count / 3)
          } else {
            for _ in 0..<(10 * round) {
              picture[Int.random(in: 200..<picture.count, using: &generator)] = UInt8.random(
                in: 0...255,
                using: &generator
              )
            }
          }
          let added = try await ada.parent.perform(Documents.addItem, ["name": "Tent"], files: ["photo": picture])
          // The structure may be wrong already.
          guard added.userErrors == [] else { continue }
          let photo = try await ada.parent.ask(Self.scaled)["data.family.items.nodes.0.photo"]
          let answer = try await server.visitor.load(photo)
          #expect(answer.status == 200 && !answer.body.isEmpty, "\(name) \(round)")
        }
      }
    }
  }

  @Test func `one that cannot be scaled is tried once`() async throws {
    let (pictures, directory) = (try await LargePictures(), try TemporaryDirectory())
    let script = try Self.script("printf x >> \(directory.path)/runs\nexit 10", in: directory)
    let log = RecordedLog()
    try await TestServer.runScaling(program: script, log: log) { server in
      let ada = try await Household(on: server)
      let picture = try pictures["jpeg"]
      let photo = try await Self.upload(picture, by: ada)
      for _ in 0..<3 { #expect(try await !Self.expectServed(photo, picture, on: server)) }
      #expect(photo["thumbHash"] == .null)
      #expect(log.messages.count { $0.hasPrefix("A picture cannot be scaled") } == 1)
      #expect(server.scaledFiles == [])
    }
    // The check at the start, and the upload.
    #expect(try String(contentsOfFile: directory.path + "/runs", encoding: .utf8).count <= 2)
  }

  @Test func `uploads do not wait long for a preview, which another picture may delay`() async throws {
    let (pictures, directory) = (try await LargePictures(), try TemporaryDirectory())
    // Makes sizes, and takes forever for the pixels of a preview.
    let program = try Program.executable().path
    let script = try Self.script("[ \"$3\" != 3 ] || exec /bin/sleep 60\nexec \(program) \"$@\"", in: directory)
    try await TestServer.runScaling(program: script) { server in
      let ada = try await Household(on: server)
      let names = ["jpeg", "png", "webp", "heic"]
      let start = ContinuousClock.now
      try await withThrowingTaskGroup(of: Void.self) { group in
        for name in names {
          let picture = try pictures[name]
          group.addTask {
            let added = try await ada.parent.another.perform(
              Documents.addItem,
              ["name": .string(name)],
              files: ["photo": picture]
            )
            #expect(added.userErrors == [], "\(added)")
          }
        }
        try await group.waitForAll()
      }
      #expect(start.duration(to: .now) < .seconds(25))
      let items = "{ family { items { nodes { photo { url: url(width: 200) thumbHash } } } } }"
      let photos = try await ada.parent.ask(items)["data.family.items.nodes"].each("photo")
      #expect(photos.count == names.count && photos.allSatisfy { $0["thumbHash"] == .null }, "\(photos)")
      // That a preview took too long says nothing about a size.
      for photo in photos { #expect(try await Self.expectServed(photo, [], on: server)) }
    }
  }

  @Test(arguments: [
    (12, "libvips is not installed, so pictures are served in their original size: see the operating guide."),
    (13, "This system cannot confine processes, so pictures are served in their original size."),
  ])
  func `without libvips or a confinement, originals are served and one line says so`(
    status: Int,
    message: String
  ) async throws {
    let (pictures, directory) = (try await LargePictures(), try TemporaryDirectory())
    let script = try Self.script("exit \(status)", in: directory)
    let log = RecordedLog()
    try await TestServer.runScaling(program: script, log: log) { server in
      let ada = try await Household(on: server)
      let picture = try pictures["heic"]
      for _ in 0..<2 {
        let photo = try await Self.upload(picture, by: ada)
        #expect(try await !Self.expectServed(photo, picture, on: server))
        #expect(try await server.visitor.load(photo).headers["content-type"] == "image/heic")
      }
    }
    #expect(log.messages.count { $0.hasPrefix(message) } == 1, "\(log.messages)")
  }

  @Test func `with no room for sizes, nothing is scaled`() async throws {
    let pictures = try await LargePictures()
    try await TestServer.runScaling(cacheBytes: 0) { server in
      let ada = try await Household(on: server)
      let photo = try await Self.upload(try pictures["jpeg"], by: ada)
      #expect(try await !Self.expectServed(photo, try pictures["jpeg"], on: server))
    }
  }

  @Test func `what a process writes that is no picture is not served`() async throws {
    let (pictures, directory) = (try await LargePictures(), try TemporaryDirectory())
    let script = try Self.script("printf '<script>'", in: directory)
    try await TestServer.runScaling(program: script) { server in
      let ada = try await Household(on: server)
      let picture = try pictures["jpeg"]
      #expect(try await !Self.expectServed(try await Self.upload(picture, by: ada), picture, on: server))
    }
  }

  private static func script(_ commands: String, in directory: TemporaryDirectory) throws -> String {
    let script = directory.path + "/script"
    try "#!/bin/sh\n\(commands)\n".write(toFile: script, atomically: true, encoding: .utf8)
    chmod(script, 0o700)
    return script
  }
}
