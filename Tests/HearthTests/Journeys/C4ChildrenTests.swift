import Foundation
import Testing

@testable import Hearth

@Suite("C4: the list of children needs a valid token")
struct C4ChildrenTests {
  static let list = "{ family { children { id username age gender avatar { url } } } }"

  @Test func `it shows id, username, age, gender and avatar`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia", username: "mia")
      let answer = try await ada.parent.ask(Self.list)
      let url = "http://127.0.0.1:\(server.port)/media/placeholder/sunrise/initials-4d.svg"
      #expect(
        answer == [
          "data": [
            "family": [
              "children": [
                [
                  "id": .string(mia), "username": "mia", "age": 8, "gender": "UNSPECIFIED",
                  "avatar": ["url": .string(url)],
                ]
              ]
            ]
          ]
        ]
      )
    }
  }

  @Test func `missing, malformed, expired and revoked tokens have different errors`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let token = try #require(ada.parent.token)
      let parts = token.split(separator: ".").map(String.init)
      let none = Data(#"{"alg":"none","typ":"JWT"}"#.utf8).base64EncodedString().replacing("=", with: "")
      let expected: [(String?, String)] = [
        (nil, "UNAUTHENTICATED"),
        ("Bearer", "TOKEN_MALFORMED"),
        ("Bearer ", "TOKEN_MALFORMED"),
        ("Bearer nonsense", "TOKEN_MALFORMED"),
        ("Bearer a.b.c", "TOKEN_MALFORMED"),
        ("Basic YWRhOmFkYQ==", "TOKEN_MALFORMED"),
        (token, "TOKEN_MALFORMED"),
        ("Bearer \(token)x", "TOKEN_MALFORMED"),
        ("Bearer \(token) \(token)", "TOKEN_MALFORMED"),
        ("Bearer \(parts[0]).\(parts[1])", "TOKEN_MALFORMED"),
        ("Bearer \(parts[0]).\(parts[1]).", "TOKEN_MALFORMED"),
        ("Bearer \(none).\(parts[1]).", "TOKEN_MALFORMED"),
        ("Bearer \(parts[0]).e30.\(parts[2])", "TOKEN_MALFORMED"),
        ("Bearer " + String(repeating: "x", count: 8_000), "TOKEN_MALFORMED"),
      ]
      for (authorization, code) in expected {
        let headers = authorization.map { [("Authorization", $0)] } ?? []
        let answer = try await server.http.post((["query": .string(Self.list)] as Value).text, headers: headers)
        #expect(answer.isExecuted)
        #expect(answer.codes == [code], "\(authorization ?? "")")
        #expect(answer.json["data"] == ["family": nil])
      }
      for scheme in ["bearer", "BEARER", "Bearer"] {
        let headers = [("Authorization", "\(scheme) \(token)")]
        let answer = try await server.http.post((["query": .string(Self.list)] as Value).text, headers: headers)
        #expect(answer.codes.isEmpty)
      }
      let phone = try await A16SignOutTests.signIn(server)
      _ = try await phone.client.perform(Documents.signOut)
      #expect(try await phone.client.post(Self.list).codes == ["TOKEN_REVOKED"])
      server.clock.advance(seconds: 15 * 60 - 1)
      #expect(try await ada.parent.post(Self.list).codes.isEmpty)
      server.clock.advance(seconds: 1)
      #expect(try await ada.parent.post(Self.list).codes == ["TOKEN_EXPIRED"])
      // Seen for the first time when it has expired already, by a loop that does not remember it.
      #expect(try await phone.client.post(Self.list).codes == ["TOKEN_EXPIRED"])
    }
  }

  @Test func `the message says whether the token or the form of the header is wrong`() async throws {
    try await TestServer.run { server in
      let token = try #require(try await Household(on: server).parent.token)
      let form = "Authorization must be `Bearer`, a space and an access token."
      let expected = [
        token: form, "Bearer": form, "Basic YWRhOmFkYQ==": form,
        "Bearer undefined": "The access token is not valid.",
        "Bearer \"\(token)\"": "The access token is not valid.",
      ]
      for (authorization, message) in expected {
        let headers = [("Authorization", authorization)]
        let answer = try await server.http.post((["query": .string(Self.list)] as Value).text, headers: headers)
        #expect(answer.json["errors.0.message"] == .string(message), "\(authorization)")
      }
      let answer = try await server.visitor.ask(Self.list)
      #expect(answer["errors.0.message"].string?.contains("in the header Authorization") == true, "\(answer)")
    }
  }

  @Test func `a token of another server is invalid`() async throws {
    try await TestServer.run { elsewhere in
      let foreign = try await Household(on: elsewhere)
      try await TestServer.run { server in
        _ = try await Household(on: server)
        let answer = try await server.visitor.with(token: foreign.parent.token).post(Self.list)
        #expect(answer.codes == ["TOKEN_MALFORMED"])
      }
    }
  }

  @Test func `every field and mutation that requires a session reports it`() async throws {
    try await TestServer.run { server in
      let answer = try await server.visitor.ask(
        #"{ viewer { __typename } family { id } node(id: "x") { id } }"#
      )
      #expect(answer["data"] == ["viewer": nil, "family": nil, "node": nil])
      #expect(answer["errors"].each("extensions.code") == ["UNAUTHENTICATED", "UNAUTHENTICATED"])
      #expect(try await server.visitor.post(#"{ nodes(ids: ["x"]) { id } }"#).codes == ["UNAUTHENTICATED"])
      for (document, input) in ChildsRightsTests.mutations(child: "x", chore: "x") {
        let outcome = try await server.visitor.perform(document, ["input": input])
        #expect(outcome.codes == ["UNAUTHENTICATED"])
        #expect(outcome.payload == .null)
      }
      let reminders: [(String, Value)] = [
        (Documents.setReminder, ["choreId": "x", "remindAt": "2026-12-01T00:00:00Z"]),
        (Documents.answerReminder, ["id": "x", "answer": "IGNORE"]),
        (Documents.updateChild, ["id": "x"]),
      ]
      for (document, input) in reminders {
        #expect(try await server.visitor.perform(document, ["input": input]).codes == ["UNAUTHENTICATED"])
      }
      #expect(try await server.visitor.perform(Documents.removeReminder, ["id": "x"]).codes == ["UNAUTHENTICATED"])
      for (document, id) in ChildsRightsTests.removals(child: "x", chore: "x", contract: "x") {
        let outcome = try await server.visitor.perform(document, ["id": .string(id)])
        #expect(outcome.codes == ["UNAUTHENTICATED"])
        #expect(outcome.payload == .null)
      }
    }
  }
}
