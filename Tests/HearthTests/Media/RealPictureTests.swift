import Foundation
import TestSupport
import Testing

@testable import Hearth

@Suite("Pictures of other programs, decoded by others")
struct RealPictureTests {
  static let hasPillow = PythonScript.has("PIL", "pillow_heif")
  static let hasClient = PythonScript.has("gql", "aiohttp")

  @Test(.enabled(if: hasPillow)) func `the position is removed, and all else is unchanged`() async throws {
    let (made, stored) = (try TemporaryDirectory(), try TemporaryDirectory())
    let making = try await PythonScript.run("Media/make_pictures.py", made.path)
    try #require(making.status == 0, "\(making.output)")
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
    let looking = try await PythonScript.run("Media/look_at_pictures.py", files)
    try #require(looking.status == 0, "\(looking.output)")
    return looking.output.split(separator: "\n").map(String.init)
  }

  @Test(.enabled(if: hasClient)) func `a client that others have written uploads one`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let file = server.directory.path + "/photo.jpg"
      try Data(SamplePicture.jpeg()).write(to: URL(fileURLWithPath: file))
      let arguments = ["http://127.0.0.1:\(server.port)/graphql", try #require(ada.parent.token), file]
      let uploading = try await PythonScript.run("Media/upload.py", arguments)
      try #require(uploading.status == 0, "\(uploading.output)")
      let url = uploading.output.trimmingCharacters(in: .whitespacesAndNewlines)
      #expect(try await server.visitor.load(["url": .string(url)]).body == SamplePicture.jpeg())
    }
  }
}
