import Foundation
import Testing

/// What `Documentation/reference/mutations.json` states of each mutation.
struct MutationErrors: Decodable, Sendable {
  let callers: String
  let userErrors: Set<String>

  static let all: [String: MutationErrors] = {
    let file = Checkout.root.appendingPathComponent("Documentation/reference/mutations.json")
    guard let data = try? Data(contentsOf: file) else { return [:] }
    return (try? JSONDecoder().decode([String: MutationErrors].self, from: data)) ?? [:]
  }()

  /// Records an issue when a mutation returned a user error that the API reference does not list, or a message that
  /// apps cannot tell from another.
  static func check(_ payload: Value, of document: String) {
    let codes = payload["userErrors"].each("code").compactMap(\.string)
    guard !codes.isEmpty, document.wholeMatch(of: /\s*(?:#[^\n]*\s+)*mutation\b[\s\S]*/) != nil else { return }
    let names = document.matches(of: /\b([a-z]\w+)\s*[({]/).lazy.map { String($0.1) }
    guard let name = names.first(where: { all[$0] != nil }), let listed = all[name]?.userErrors else { return }
    for error in payload["userErrors"].list { UserErrorSentences.check(error, of: name) }
    let missing = Set(codes).subtracting(listed).sorted()
    #expect(missing == [], "\(name): add this to Documentation/reference/mutations.json, run Scripts/documentation")
  }
}
