import Foundation
import TestSupport
import Testing

@testable import Hearth

@Suite("Damaged picture files")
struct DamagedPictureTests {
  private static let content = SamplePicture.jpeg(xmp: [UInt8](repeating: 0x20, count: 500))

  enum Damage: CaseIterable { case emptied, overwritten }

  private static func bytes(after damage: Damage) -> [UInt8] {
    switch damage {
    case .emptied: []
    case .overwritten: content.dropLast(100) + [UInt8](repeating: 0, count: 100)
    }
  }

  @Test(arguments: Damage.allCases)
  func `one is not delivered, and is replaced by an upload of the same picture`(damage: Damage) async throws {
    let damaged = Data(Self.bytes(after: damage))
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      func upload() async throws -> Value {
        let added = try await ada.parent.perform(Documents.addItem, ["name": "Tent"], files: ["photo": Self.content])
        try #require(added.userErrors == [], "\(added)")
        return added["item.photo"]
      }
      let photo = try await upload()
      let file = URL(fileURLWithPath: "\(server.directory.path)/media/\(try #require(server.pictureFiles.first))")
      try damaged.write(to: file)
      let answer = try await server.visitor.load(photo)
      let (names, _) = try await ExportTests.read(try await ada.parent.perform(ExportTests.export))
      // With PostgreSQL the file is a copy, which is made again.
      if server.database == .postgresql {
        #expect(answer.status == 200 && answer.body == Self.content)
        #expect(names.count == 2)
      } else {
        #expect(answer.status == 500 && answer.headers["cache-control"] == "no-store")
        #expect(names == ["data.json"])
      }
      try damaged.write(to: file)
      #expect(try await upload()["url"] == photo["url"])
      #expect(try [UInt8](Data(contentsOf: file)) == Self.content)
      let again = try await server.visitor.load(photo)
      #expect(again.status == 200 && again.body == Self.content)
    }
  }
}
