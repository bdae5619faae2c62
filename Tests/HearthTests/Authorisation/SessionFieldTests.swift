import Testing

@testable import GraphQL
@testable import Hearth

/// Subscriptions of a member's sessions share the execution of an event unless the operation selects a field that is
/// marked as dependent on the session.
@Suite("Visibility: every field, for two sessions of a member")
struct SessionFieldTests {
  @Test func `is the same for both, unless it is marked`() async throws {
    let fields = try HearthSchema.executable().fields.compactMap(\.self)
    let marked = Set(fields.filter(\.binding.dependsOnCaller).map(\.coordinate))
    try await AuthorisationWorld.run(configure: { $0.limits.validation.limits.aliases = 1_000 }) { world in
      let coordinates = try SchemaCoordinates(ids: world.family.ids(of: ArgumentLine.all))
      let household = world.family.household
      let input = A02SignInTests.input(household.email, Household.password)
      let token = try await world.visitor.perform(Documents.signIn, input)["credentials.accessToken"].string
      let parent = world.visitor.with(token: token)
      let child = try await Household(household, parent: parent).signIn("\(AuthorisationWorld.mark)username")
      var differing: Set<String> = []
      for (name, other) in [("parent", parent), ("child", child)] {
        let first = try #require(world.client(name))
        let known = world.family.ids.mapValues { Set([$0]) }
        let ids = try await Crawl(by: first, knowing: known, coordinates).seen.ids
        let seen = try await Crawl(by: first, knowing: ids, coordinates).seen.values
        let again = try await Crawl(by: first, knowing: ids, coordinates).seen.values
        let others = try await Crawl(by: other, knowing: ids, coordinates).seen.values
        // Codes to sign in with differ for every request.
        for (coordinate, values) in seen where again[coordinate] == values && others[coordinate] != values {
          differing.insert(coordinate)
        }
      }
      #expect(differing == marked)
    }
  }
}
