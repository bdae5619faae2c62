import Testing

@testable import Hearth

@Suite("C1: register with e-mail, phone and password alone")
struct C1RegisterTests {
  static let bare: Value = [
    "email": "tom.byron@example.com", "phone": "+33 6 12 34 56 78", "password": "correct horse",
    "passwordConfirmation": "correct horse",
  ]

  @Test func `if the deployment requires no more, the name starts as the address's local part`() async throws {
    try await TestServer.run(configure: { $0.registrationRequires = ["phone"] }) { server in
      let outcome = try await server.visitor.perform(Documents.register, ["input": Self.bare])
      #expect(outcome.userErrors.isEmpty)
      let viewer = outcome["credentials.viewer"]
      #expect(viewer["name"] == "tom.byron")
      #expect(viewer["firstName"] == "tom.byron")
      #expect(viewer["phone"] == "+33 6 12 34 56 78")
      #expect(viewer["dateOfBirth"] == .null)
    }
  }

  @Test(
    arguments: [
      ("name,phone", ["name", "phone"]), ("name ,phone", ["name", "phone"]), (" dateOfBirth , ", ["dateOfBirth"]),
      ("", []),
    ] as [(String, Set<String>)]
  )
  func `what the deployment requires is a list, in which spaces do not matter`(
    text: String,
    required: Set<String>
  ) throws {
    var configuration = Configuration()
    try ServerSetting.configure(&configuration, from: ["HEARTH_REGISTRATION_REQUIRES": text])
    #expect(configuration.registrationRequires == required)
  }

  @Test func `all errors of the form are reported at once`() async throws {
    try await TestServer.run(configure: { $0.registrationRequires = ["phone"] }) { server in
      let wrong: Value = ["email": "tom", "phone": "  ", "password": "short", "passwordConfirmation": "shorter"]
      let outcome = try await server.visitor.perform(Documents.register, ["input": wrong])
      #expect(
        outcome.userErrors == [
          "input.email INVALID", "input.password TOO_SHORT", "input.passwordConfirmation MISMATCH", "input.phone BLANK",
        ]
      )
    }
  }

  @Test func `by default a name and a birthday are required`() async throws {
    try await TestServer.run { server in
      let outcome = try await server.visitor.perform(Documents.register, ["input": Self.bare])
      #expect(outcome.userErrors == ["input.dateOfBirth BLANK", "input.name BLANK"])
    }
  }
}
