import TestSupport
import Testing

@testable import Hearth

/// A family whose chores repeat, seen through years: its parent stays signed in.
struct RepeatingChores: Sendable {
  let household: Household
  let client: Client

  static let list = """
    query ($filter: ChoreFilter) { family { chores(filter: $filter, orderBy: NEWEST, first: 100) { totalCount nodes {
      id name notes priority dueAt frequency status period createdAt
      copiedFrom { id } assignees { id } createdBy { id } reminders { remindAt status } } } } }
    """

  static func run(
    in directory: TemporaryDirectory? = nil,
    startingLater seconds: Int64 = 0,
    _ body: (TestServer) async throws -> Void
  ) async throws {
    try await TestServer.run(
      in: directory,
      startingLater: seconds,
      configure: { configuration in
        configuration.accessTokenLifetime = 10 * 365 * 86_400
        configuration.sessionLifetime = 10 * 365 * 86_400
      },
      body
    )
  }

  init(on server: TestServer, timeZone: String = "UTC") async throws {
    household = try await Household(on: server)
    client = household.parent
    try await move(to: timeZone)
  }

  /// The same family on a server that was started again.
  init(_ other: RepeatingChores, on server: TestServer) {
    household = other.household
    client = server.visitor.with(token: other.client.token)
  }

  func move(to timeZone: String) async throws {
    let moved = try await client.perform(Documents.updateFamily, ["input": ["timeZone": .string(timeZone)]])
    #expect(moved["family.timeZone"] == .string(timeZone))
  }

  @discardableResult
  func add(_ name: String, _ frequency: String, _ more: Value = [:]) async throws -> Value {
    let input = (["name": .string(name), "frequency": .string(frequency)] as Value).merging(more)
    let outcome = try await client.perform(Documents.addChore, ["input": input])
    return try #require(outcome["chore"] == .null ? nil : outcome["chore"], "\(outcome)")
  }

  func update(_ chore: Value, _ changes: Value) async throws -> Outcome {
    try await client.perform(Documents.updateChore, ["input": changes.setting("id", chore["id"])])
  }

  /// Its occurrences, the newest first.
  func occurrences(of name: String) async throws -> [Value] {
    let page = try await client.ask(Self.list, ["filter": ["query": .string(name)]])["data.family.chores"]
    return page["nodes"].list
  }

  /// Returns the occurrences once there are `count`.
  func occurrences(of name: String, whenThereAre count: Int) async throws -> [Value] {
    try await occurrences(of: name) { $0.count >= count }
  }

  /// Returns the occurrences once they satisfy the condition.
  func occurrences(of name: String, when isSo: ([Value]) -> Bool) async throws -> [Value] {
    var found: [Value] = []
    try await waitUntil("The occurrences of \(name) are as expected.") {
      found = try await occurrences(of: name)
      return isSo(found)
    }
    return found
  }
}
