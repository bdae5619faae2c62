import GraphQL
import Testing

@testable import Hearth

@Suite("Features")
struct FeatureTests {
  @Test func `a schema names everything that two features declare`() throws {
    let field = FieldBinding.load(needs: []) { _, _ in }
    let second = Feature(
      name: "second",
      objects: ["Chore": .pageInfo],
      queries: ["family": field, "node": field],
      mutations: ["addChore": field],
      subscriptions: ["reminderDue": .init(source: ReminderDue.source, field: field)],
      lookups: [.chore: ChoreType.present],
      services: [FeatureService("reminders") { _ in 1 }]
    )
    let sdl = String(decoding: HearthSchema.sdl, as: UTF8.self)
    let error = #expect(throws: SchemaError.self) {
      try HearthSchema.executable(sdl, features: Feature.all + [second])
    }
    #expect(
      error?.errors.map(\.message).sorted() == [
        "Chore is declared by chores and by second.",
        "Mutation.addChore is declared by chores and by second.",
        "Query.family is declared by families and by second.",
        "Query.node is declared by second and by nodes.",
        "Subscription.reminderDue is declared by chores and by second.",
        "The lookup of the kind chore is declared by chores and by second.",
        "The service reminders is declared by chores and by second.",
      ]
    )
  }

  @Test func `a schema names what no feature declares`() throws {
    let sdl = String(decoding: HearthSchema.sdl, as: UTF8.self)
    let features = Feature.all.filter { $0.name != "items" }
    let error = #expect(throws: SchemaError.self) { try HearthSchema.executable(sdl, features: features) }
    let messages = error?.errors.map(\.message) ?? []
    #expect(messages.contains { $0.contains("Mutation.addItem") })
    #expect(messages.contains { $0.contains("Item") })
  }

  /// A feature that is not listed would be missing at run time only in what the schema does not show: its sweeps.
  @Test func `every feature that is declared is listed`() throws {
    let declared = try Checkout.swiftFiles(in: "Sources/Hearth").flatMap { file in
      file.lines.filter { $0.contains(" = Feature(") }
    }
    #expect(declared.count == Feature.all.count)
    #expect(Set(Feature.all.map(\.name)).count == Feature.all.count)
  }
}
