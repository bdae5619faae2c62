import Testing

@testable import Hearth

extension Documents {
  static let deleteAccount = """
    mutation ($password: String) { deleteAccount(password: $password) { eraseAt \(errors) } }
    """
  static let deleteChild = """
    mutation ($id: ID!, $password: String) { deleteChild(input: { id: $id, password: $password }) {
      child { id name removedAt eraseAt } \(errors) } }
    """
  static let restoreChild = """
    mutation ($id: ID!) { restoreChild(id: $id) { child { id name username points removedAt eraseAt } \(errors) } }
    """
}

extension Household {
  @discardableResult
  func deleteAccount(password: String? = Household.password) async throws -> Outcome {
    try await parent.perform(Documents.deleteAccount, ["password": password.map(Value.string) ?? nil])
  }

  @discardableResult
  func deleteChild(_ child: String, password: String? = Household.password) async throws -> Outcome {
    let variables: Value = ["id": .string(child), "password": password.map(Value.string) ?? nil]
    return try await parent.perform(Documents.deleteChild, variables)
  }

  /// Signs in to a deactivated account, to keep it.
  func reactivate(on server: TestServer) async throws -> Outcome {
    let input: Value = ["email": .string(email), "password": .string(Self.password), "reactivate": true]
    return try await server.visitor.perform(Documents.signIn, ["input": input])
  }
}

extension TestServer {
  /// Returns once a number read from the data is `count`, which a scheduler changes.
  func rows(_ text: String, become count: Int64) async throws {
    while try rows(text, columns: 1) != [[count]] { await Task.yield() }
  }

  /// Returns once everybody whose erasure is due is erased, and the search index is rid of them.
  func erasures(become count: Int64) async throws {
    try await rows(
      """
      SELECT (SELECT count(*) FROM person WHERE erased_at IS NOT NULL)
        + (SELECT count(*) FROM child WHERE erased_at IS NOT NULL)
      """,
      become: count
    )
    clock.advance(days: 1)
    try await rows("SELECT count(*) FROM due_work", become: 0)
  }
}
