import TestSupport
import Testing

@testable import Hearth

@Suite("B1 to B4: items with photos")
struct B3ItemPhotoTests {
  static let photos: [(contentType: String, bytes: [UInt8])] = [
    ("image/jpeg", SamplePicture.jpeg()), ("image/png", SamplePicture.png()), ("image/webp", SamplePicture.webp()),
    ("image/heic", SamplePicture.heic()),
  ]

  @Test func `a photo of each format is stored byte for byte, whatever its name`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      for (contentType, bytes) in Self.photos {
        let outcome = try await ada.parent.perform(Documents.addItem, ["name": "Tent"], files: ["photo": bytes])
        #expect(outcome.userErrors.isEmpty)
        let photo = outcome["item.photo"]
        #expect(photo["placeholder"] == false)
        #expect(photo["contentType"] == .string(contentType))
        #expect(photo["byteCount"].int == bytes.count)
        #expect(photo["width"] == 40 && photo["height"] == 30)
        let loaded = try await server.visitor.load(photo)
        #expect(loaded.status == 200 && loaded.body == bytes)
        #expect(loaded.headers["content-type"] == contentType)
      }
      #expect(server.pictureFiles.count == Self.photos.count)
      let list = try await ada.parent.ask("{ family { items { nodes { photo { contentType } } } } }")
      #expect(
        list["data.family.items.nodes"].each("photo.contentType")
          == Self.photos.reversed().map { .string($0.contentType) }
      )
    }
  }

  @Test func `a photo is validated together with the name, and nothing is saved when either is wrong`() async throws {
    try await TestServer.run(configure: {
      $0.pictureBytes = 1000; $0.picturePixels = 10_000
    }) { server in
      let ada = try await Household(on: server)
      let tent = try await ada.addItem("Tent")
      let before = try await ada.everything()
      let large = SamplePicture.jpeg(trailer: [UInt8](repeating: 0, count: 1000))
      let cases: [(String, [UInt8], [String])] = [
        ("Tent", Array("GIF89a".utf8), ["input.photo UNSUPPORTED_MEDIA"]),
        ("Tent", [], ["input.photo UNSUPPORTED_MEDIA"]),
        ("Tent", SamplePicture.jpeg().dropLast(), ["input.photo UNSUPPORTED_MEDIA PICTURE_DAMAGED"]),
        ("Tent", large, ["input.photo TOO_LARGE PICTURE_BYTES"]),
        ("Tent", SamplePicture.png(width: 101, height: 100), ["input.photo TOO_LARGE PICTURE_PIXELS"]),
        ("", SamplePicture.jpeg(), ["input.name BLANK"]),
        (" ", Array("GIF89a".utf8), ["input.name BLANK", "input.photo UNSUPPORTED_MEDIA"]),
      ]
      for (name, photo, expected) in cases {
        let added = try await ada.parent.perform(Documents.addItem, ["name": .string(name)], files: ["photo": photo])
        #expect(added.userErrorReasons == expected && added["item"] == .null)
        let input: Value = ["id": .string(tent), "name": .string(name)]
        let updated = try await ada.parent.perform(Documents.updateItem, input, files: ["photo": photo])
        #expect(updated.userErrorReasons == expected)
      }
      let nowhere: Value = ["id": "nonsense"]
      let missed = try await ada.parent.perform(Documents.updateItem, nowhere, files: ["photo": SamplePicture.jpeg()])
      #expect(missed.userErrors == ["input.id NOT_FOUND"])
      #expect(try await ada.everything() == before)
      #expect(server.pictureFiles.isEmpty)
      let within = SamplePicture.png(width: 100, height: 100)
      #expect(
        try await ada.parent.perform(Documents.addItem, ["name": "Tent"], files: ["photo": within]).userErrors == []
      )
    }
  }

  @Test func `a photo is replaced and removed, and then no longer available`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let added = try await ada.parent.perform(
        Documents.addItem,
        ["name": "Tent"],
        files: ["photo": SamplePicture.jpeg()]
      )
      let first = added["item.photo"]
      let id = added["item.id"]
      let renamed = try await ada.parent.perform(Documents.updateItem, ["input": ["id": id, "name": "Old tent"]])
      #expect(renamed["item.photo"] == first)
      let again = try await ada.parent.perform(Documents.updateItem, ["id": id], files: ["photo": SamplePicture.png()])
      #expect(again["item.photo.contentType"] == "image/png")
      #expect(again["item.name"] == "Old tent")
      #expect(try await server.visitor.load(first).status == 404)
      let second = again["item.photo"]
      #expect(try await server.visitor.load(second).status == 200)

      let both: Value = ["id": id, "removePhoto": true]
      let unclear = try await ada.parent.perform(Documents.updateItem, both, files: ["photo": SamplePicture.jpeg()])
      #expect(unclear.userErrors == ["input.removePhoto INVALID"])
      #expect(try await server.visitor.load(second).status == 200)

      let removed = try await ada.parent.perform(Documents.updateItem, ["input": both])
      #expect(removed["item.photo.placeholder"] == true)
      #expect(try await server.visitor.load(second).status == 404)
      _ = try await ada.parent.perform(Documents.updateItem, ["id": id], files: ["photo": SamplePicture.webp()])
      let nulled = try await ada.parent.perform(Documents.updateItem, ["input": ["id": id, "photo": nil]])
      #expect(nulled["item.photo.placeholder"] == true)
      #expect(server.pictureFiles.isEmpty)
    }
  }

  @Test func `the same photo is stored once, and goes with the last item that has it`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let eve = try await Household(on: server, email: "eve@example.com")
      var items: [(Household, Value)] = []
      for household in [ada, ada, eve] {
        let photo = SamplePicture.jpeg(exif: SamplePicture.exif())
        let outcome = try await household.parent.perform(Documents.addItem, ["name": "Tent"], files: ["photo": photo])
        items.append((household, outcome["item"]))
      }
      #expect(Set(items.map { $0.1["photo"] }).count == 1)
      #expect(server.pictureFiles.count == 1)
      for (index, (household, item)) in items.enumerated() {
        #expect(try await server.visitor.load(item["photo"]).status == 200, "\(index)")
        _ = try await household.parent.perform(Documents.removeItem, ["id": item["id"]])
      }
      #expect(try await server.visitor.load(items[0].1["photo"]).status == 404)
      #expect(server.pictureFiles.isEmpty)
    }
  }

  @Test func `a child adds no item, with a photo or without`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      _ = try await ada.addChild("Mia", username: "mia")
      let mia = try await ada.signIn("mia")
      let photo = ["photo": SamplePicture.jpeg()]
      #expect(try await mia.perform(Documents.addItem, ["name": "Tent"], files: photo).codes == ["FORBIDDEN"])
      let visitor = try await server.visitor.perform(Documents.addItem, ["name": "Tent"], files: photo)
      #expect(visitor.codes == ["UNAUTHENTICATED"])
      #expect(server.pictureFiles.isEmpty)
    }
  }
}
