import TestSupport
import Testing

@testable import Hearth

@Suite("A7, A8, A12 to A14: pictures of children, parents and chores")
struct A12AvatarTests {
  private static let updateChore = """
    mutation ($input: UpdateChoreInput!) { updateChore(input: $input) {
      chore { image { url placeholder } } userErrors { field code message } } }
    """
  private static let dashboard = "{ family { children { name avatar { url placeholder width } } } }"

  @Test func `a child has a picture from the start, or gets one, or is drawn again`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      _ = try await ada.addChild("Ben")
      let added = try await ada.parent.perform(
        Documents.addChild,
        ["name": "Mia", "birth": ["age": 8]],
        files: ["avatar": SamplePicture.jpeg(width: 300, exif: SamplePicture.exif())]
      )
      #expect(added["child.avatar.width"] == 300 && added["child.avatar.placeholder"] == false)
      let children = try await ada.parent.ask(Self.dashboard)["data.family.children"]
      #expect(children.each("avatar.placeholder") == [true, false])
      #expect(children["1.avatar.url"] == added["child.avatar.url"])
      #expect(try await server.visitor.load(added["child.avatar"]).status == 200)

      let id = added["child.id"]
      let changed = try await ada.parent.perform(
        Documents.updateChild,
        ["id": id],
        files: ["avatar": SamplePicture.png()]
      )
      #expect(changed.userErrors.isEmpty)
      #expect(try await server.visitor.load(changed["child.avatar"]).headers["content-type"] == "image/png")
      #expect(try await server.visitor.load(added["child.avatar"]).status == 404)
      let renamed = try await ada.parent.perform(Documents.updateChild, ["input": ["id": id, "name": "Mia Maria"]])
      #expect(renamed["child.avatar"] == changed["child.avatar"])
      let drawn = try await ada.parent.perform(Documents.updateChild, ["input": ["id": id, "avatar": nil]])
      #expect(drawn["child.avatar.url"].string?.contains("placeholder") == true)
      #expect(server.pictureFiles.isEmpty)
    }
  }

  @Test func `a child changes its own picture only`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia", username: "mia")
      let ben = try await ada.addChild("Ben")
      let client = try await ada.signIn("mia")
      let files = ["avatar": SamplePicture.webp()]
      let own = try await client.perform(Documents.updateChild, ["id": .string(mia)], files: files)
      #expect(own.userErrors.isEmpty && own["child.avatar.url"].string?.hasSuffix(".webp") == true)
      let other = try await client.perform(Documents.updateChild, ["id": .string(ben)], files: files)
      #expect(other.codes == ["FORBIDDEN"])
      #expect(try await client.perform(Documents.updateAccount, [:], files: files).codes == ["FORBIDDEN"])
      let eve = try await Household(on: server, email: "eve@example.com")
      let foreign = try await eve.parent.perform(Documents.updateChild, ["id": .string(mia)], files: files)
      #expect(foreign.userErrors == ["input.id NOT_FOUND"])
      #expect(server.pictureFiles.count == 1)
    }
  }

  @Test func `the picture of a removed child, and of a parent who leaves, is deleted`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.parent.perform(
        Documents.addChild,
        ["name": "Mia", "birth": ["age": 8]],
        files: ["avatar": SamplePicture.jpeg()]
      )
      let own = try await ada.parent.perform(Documents.updateAccount, [:], files: ["avatar": SamplePicture.png()])
      #expect(server.pictureFiles.count == 2)
      _ = try await ada.parent.perform(Documents.removeChild, ["id": mia["child.id"]])
      #expect(try await server.visitor.load(mia["child.avatar"]).status == 404)
      #expect(try await server.visitor.load(own["account.avatar"]).status == 200)
      let leave = "mutation ($password: String!) { deactivateAccount(password: $password) { deactivated } }"
      #expect(try await ada.parent.perform(leave, ["password": .string(Household.password)])["deactivated"] == true)
      #expect(try await server.visitor.load(own["account.avatar"]).status == 404)
      #expect(server.pictureFiles.isEmpty)
    }
  }

  @Test func `a parent has a picture, which the family sees`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let wrong = try await ada.parent.perform(
        Documents.updateAccount,
        ["firstName": ""],
        files: ["avatar": Array("no picture".utf8)]
      )
      #expect(wrong.userErrors == ["input.avatar UNSUPPORTED_MEDIA", "input.firstName BLANK"])
      let own = try await ada.parent.perform(Documents.updateAccount, [:], files: ["avatar": SamplePicture.heic()])
      let seen = try await ada.parent.ask(
        "{ viewer { ... on Account { person { avatar { url } } } } family { parents { avatar { url } } } }"
      )
      #expect(seen["data.viewer.person.avatar"] == own["account.avatar"])
      #expect(seen["data.family.parents.0.avatar"] == own["account.avatar"])
      let none = try await ada.parent.perform(Documents.updateAccount, ["input": ["avatar": nil]])
      #expect(none["account.avatar.url"].string?.contains("placeholder") == true)
    }
  }

  @Test func `a chore has a picture`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let bad = try await ada.parent.perform(Documents.addChore, ["name": " "], files: ["image": [1, 2, 3]])
      #expect(bad.userErrors == ["input.image UNSUPPORTED_MEDIA", "input.name BLANK"])
      let added = try await ada.parent.perform(
        Documents.addChore,
        ["name": "Feed the cat"],
        files: ["image": SamplePicture.jpeg()]
      )
      #expect(added["chore.image.placeholder"] == false)
      let id = added["chore.id"]
      let done = try await ada.parent.perform(Self.updateChore, ["input": ["id": id, "status": "DONE"]])
      #expect(done["chore.image.url"] == added["chore.image.url"])
      let changed = try await ada.parent.perform(
        Self.updateChore,
        ["id": id],
        files: ["image": SamplePicture.png()]
      )
      #expect(changed["chore.image.url"].string?.hasSuffix(".png") == true)
      let none = try await ada.parent.perform(Self.updateChore, ["input": ["id": id, "image": nil]])
      #expect(none["chore.image.placeholder"] == true)
      #expect(server.pictureFiles.isEmpty)
    }
  }

  @Test func `a server can require a picture for chores`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      _ = try await ada.addChore()
    }
    try await TestServer.run(configure: { $0.choresRequirePicture = true }) { server in
      let ada = try await Household(on: server)
      for input in [["name": " "], ["name": " ", "image": nil]] as [Value] {
        let rejected = try await ada.parent.perform(Documents.addChore, ["input": input])
        #expect(rejected.userErrors == ["input.image BLANK", "input.name BLANK"])
      }
      let bad = try await ada.parent.perform(Documents.addChore, ["name": "Cat"], files: ["image": [1, 2, 3]])
      #expect(bad.userErrors == ["input.image UNSUPPORTED_MEDIA"])
      let picture = ["image": SamplePicture.jpeg()]
      let added = try await ada.parent.perform(Documents.addChore, ["name": "Cat"], files: picture)
      let id = added["chore.id"]
      #expect(added.userErrors == [])
      let removed = try await ada.parent.perform(Self.updateChore, ["input": ["id": id, "image": nil]])
      #expect(removed.userErrors == ["input.image BLANK"])
      let renamed = try await ada.parent.perform(Self.updateChore, ["input": ["id": id, "status": "DONE"]])
      #expect(renamed["chore.image.url"] == added["chore.image.url"])
    }
  }
}
