import Foundation
import TestSupport
import Testing

@testable import Hearth

@Suite("Pictures of other programs, decoded by others")
struct RealPictureTests {
  static let hasPillow = (try? Python.run(["-c", "import PIL, pillow_heif"]))?.status == 0
  static let hasClient = (try? Python.run(["-c", "import gql, aiohttp"]))?.status == 0

  private static func script(_ name: String) -> String {
    Checkout.root.appendingPathComponent("Tests/Media/\(name).py").path
  }

  @Test(.enabled(if: hasPillow)) func `the position is removed, and all else is unchanged`() async throws {
    let (made, stored) = (try TemporaryDirectory(), try TemporaryDirectory())
    let making = try await TestThread { try Python.run([Self.script("make_pictures"), made.path]) }.value
    try #require(making.status == 0)
    let names = ["jpeg", "png", "webp", "heic"]
    let before = try await look(at: names.map { "\(made.path)/\($0)" })
    #expect(before == names.map { "\($0) 320x200 Hearth camera a position" })
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      for name in names {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(made.path)/\(name)")))
        let added = try await ada.parent.perform(Documents.addItem, ["name": "Tent"], files: ["photo": bytes])
        #expect(added["item.photo.width"] == 320 && added["item.photo.height"] == 200, "\(name)")
        #expect(added["item.photo.contentType"] == .string("image/\(name)"))
        let loaded = try await server.visitor.load(added["item.photo"])
        #expect(loaded.body.count == bytes.count)
        try Data(loaded.body).write(to: URL(fileURLWithPath: "\(stored.path)/\(name)"))
      }
    }
    let after = try await look(at: names.map { "\(stored.path)/\($0)" })
    #expect(after == names.map { "\($0) 320x200 Hearth camera no position" })
  }

  private func look(at files: [String]) async throws -> [String] {
    let looking = try await TestThread { try Python.run([Self.script("look_at_pictures")] + files) }.value
    try #require(looking.status == 0)
    return looking.output.split(separator: "\n").map(String.init)
  }

  @Test(.enabled(if: hasClient)) func `a client that others have written uploads one`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let file = server.directory.path + "/photo.jpg"
      try Data(SamplePicture.jpeg()).write(to: URL(fileURLWithPath: file))
      let arguments = [
        Self.script("upload"), "http://127.0.0.1:\(server.port)/graphql", try #require(ada.parent.token), file,
      ]
      let uploading = try await TestThread { try Python.run(arguments) }.value
      try #require(uploading.status == 0)
      let url = uploading.output.trimmingCharacters(in: .whitespacesAndNewlines)
      #expect(try await server.visitor.load(["url": .string(url)]).body == SamplePicture.jpeg())
    }
  }
}
