import GraphQL
import Testing

@testable import Hearth

@Suite("Several requests in one body")
struct BatchTests {
  private static let one = #"{"query":"{__typename}"}"#
  private static let answer = #"{"data":{"__typename":"Query"}}"#

  private func list(_ count: Int) -> String {
    "[" + Array(repeating: Self.one, count: count).joined(separator: ",") + "]"
  }

  @Test func `are rejected, unless a deployment allows them`() async throws {
    try await TestServer.run { server in
      let answer = try await server.http.post(list(1))
      #expect(answer.status == 422)
      #expect(answer.json["errors.0.message"] == "The body must be a JSON object, not an array.")
    }
  }

  @Test func `are answered in their order, each by itself`() async throws {
    try await TestServer.run(configure: { $0.batchSize = 5 }) { server in
      let ada = try await Household(on: server)
      let add = #"mutation { addItem(input: {name: \"Tent\"}) { item { name } } }"#
      let count = "{ family { items { totalCount } } }"
      let body =
        #" [{"query":"\#(count)"},{"query":"\#(add)"},{"query":"\#(count)"},7,{"query":"{nothing}"}]"#
      let answer = try await server.http.post(
        body,
        headers: [("Authorization", "Bearer \(ada.parent.token ?? "")")]
      )
      #expect(answer.status == 200)
      #expect(answer.json["0.data.family.items.totalCount"] == 0)
      #expect(answer.json["1.data.addItem.item.name"] == "Tent")
      #expect(answer.json["2.data.family.items.totalCount"] == 1)
      #expect(answer.json["3.errors.0.extensions.code"] == "BAD_REQUEST")
      #expect(answer.json["4.errors.0.extensions.code"] == "GRAPHQL_VALIDATION_FAILED")
      #expect(answer.json.list.count == 5)
      #expect(try await server.http.post(Self.one).text == Self.answer)
    }
  }

  @Test(arguments: [1, 3])
  func `as many as it allows`(count: Int) async throws {
    try await TestServer.run(configure: { $0.batchSize = 3 }) { server in
      let expected = "[" + Array(repeating: Self.answer, count: count).joined(separator: ",") + "]"
      let answer = try await server.http.post(list(count))
      #expect(answer.text == expected)
    }
  }

  @Test func `have the limit of one response together, past which none is executed`() async throws {
    try await TestServer.run(configure: { configuration in
      configuration.batchSize = 4
      configuration.limits.execution.responseBytes = 16 << 10
    }) { server in
      let ada = try await Household(on: server)
      let headers = [("Authorization", "Bearer \(ada.parent.token ?? "")")]
      // Its response has about 10,000 bytes.
      let name = String(repeating: "a", count: 100)
      let long = "{ " + (0..<90).map { "\(name)\($0): __typename" }.joined(separator: " ") + " }"
      let add = #"mutation { addItem(input: {name: \"Tent\"}) { item { name } } }"#
      let documents = [long, long, add, "{ __typename }"].map { #"{"query":"\#($0)"}"# }
      let answer = try await server.http.post("[" + documents.joined(separator: ",") + "]", headers: headers)
      #expect(answer.status == 200)
      let codes = (0..<4).map { answer.json["\($0).errors.0.extensions.code"].string }
      #expect(codes == [nil, nil, "RESPONSE_TOO_LARGE", "RESPONSE_TOO_LARGE"])
      let after = try await server.http.post(#"{"query":"{ family { items { totalCount } } }"}"#, headers: headers)
      #expect(after.json["data.family.items.totalCount"] == 0)
    }
  }

  @Test func `with too many requests, without any, and other values are rejected`() async throws {
    try await TestServer.run(configure: { $0.batchSize = 3 }) { server in
      let cases = [
        (list(4), "A list can have at most 3 requests, not 4."), ("[]", "The list of requests is empty."),
        ("[" + Self.one, "The body is not JSON: The JSON text ends too early. (Byte 25.)"),
      ]
      for (body, message) in cases {
        let answer = try await server.http.post(body)
        let status = message.contains("not JSON") ? 400 : 422
        #expect(answer.status == status && answer.json["errors.0.message"] == .string(message), "\(answer.text)")
      }
    }
  }
}
