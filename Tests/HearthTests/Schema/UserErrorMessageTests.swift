import Foundation
import Testing

@testable import Hearth

/// The messages of user errors. That no message contains a value without a name, the compiler sees to: a `Message` is
/// made of literals and named values only.
@Suite("Messages of user errors")
struct UserErrorMessageTests {
  @Test func `each value in a message is a parameter`() {
    let message: UserError.Message =
      "\(words: "A name") must be from \(minimum: 3) to \(maximum: 30), like \("Ada", as: "example"), in \(days: 2)."
    #expect(message.text == "A name must be from 3 to 30, like Ada, in 2 days.")
    let expected = [("minimum", "3"), ("maximum", "30"), ("example", "Ada"), ("days", "2")]
    #expect(message.parameters == expected.map { name, value in UserError.Parameter(name: name, value: value) })
    let day: UserError.Message = "Try again in \(days: 1)."
    #expect(day.text == "Try again in a day.")
    #expect(day.parameters == [UserError.Parameter(name: "days", value: "1")])
    let plain: UserError.Message = "A name is required."
    #expect(plain.text == "A name is required." && plain.parameters.isEmpty)
  }

  /// A limit that is written into the sentence would be missing from the parameters.
  @Test func `no message has a number among its words`() throws {
    var count = 0
    for file in try Checkout.swiftFiles(in: "Sources") where file.target == "Hearth" {
      for match in file.text.matches(of: /(?:\bmessage:|UserError\.Message =)\s*("(?:[^"\\]|\\\([^\n]*?\)|\\.)*")/) {
        count += 1
        let words = String(match.1).replacing(/\\\([^\n]*?\)/, with: "").split { !$0.isLetter && !$0.isNumber }
        #expect(!words.contains { $0.first?.isNumber == true }, "\(file.path): \(match.1)")
      }
    }
    #expect(count > 100)
  }

  @Test func `the schema names all parameters`() throws {
    var names: Set<String> = ["minimum", "maximum", "days"]
    for file in try Checkout.swiftFiles(in: "Sources") where file.target == "Hearth" {
      names.formUnion(file.text.matches(of: /, as: "(\w+)"\)/).map { String($0.1) })
    }
    let sdl = try String(contentsOf: Checkout.root.appendingPathComponent("schema.graphql"), encoding: .utf8)
    let type = try #require(sdl.split(separator: "\ntype UserError {").last?.split(separator: "\n}").first)
    #expect(names.filter { !type.contains("`\($0)`") } == [])
  }

  @Test func `messages with the same mutation, field, code and reason are found`() {
    let mutation = "none \(UUID())"
    func check(_ message: Value, _ maximum: Value? = nil, reason: Value = nil, index: Value = "0") {
      let parameters = maximum.map { [["name": "maximum", "value": $0]] as Value } ?? []
      let error: Value = [
        "field": ["input", "list", index], "code": "INVALID", "reason": reason, "message": message,
        "parameters": parameters,
      ]
      UserErrorSentences.check(error, of: mutation)
    }
    check("It has at most 3 words.", "3")
    check("It has at most 13 words.", "13", index: "1")
    check("It has control characters.", reason: "CONTROL_CHARACTERS")
    withKnownIssue { check("It has control characters.") }
  }

  @Test func `clients receive the values of messages`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let errors = "userErrors { field message parameters { name value } }"
      let document = """
        mutation ($ids: [ID!]!, $entries: [AddressBookEntryInput!]!) {
          inviteToGroup(input: { groupId: "none", personIds: $ids }) { \(errors) }
          matchAddressBook(entries: $entries) { \(errors) }
          linkIdentity(input: { provider: APPLE, token: "none" }) { \(errors) } }
        """
      let entries = Value.array(Array(repeating: ["name": "Mary"], count: 5_001))
      let answer = try await ada.parent.ask(
        document,
        ["ids": .array((0...100).map { .string("\($0)") }), "entries": entries]
      )
      for (mutation, expected) in [
        ("inviteToGroup", [["name": "maximum", "value": "100"]]),
        ("matchAddressBook", [["name": "maximum", "value": "5000"]]),
        ("linkIdentity", [["name": "provider", "value": "Apple"]]),
      ] as [(String, Value)] {
        #expect(answer["data.\(mutation).userErrors.0.parameters"] == expected, "\(answer)")
      }
    }
  }
}
