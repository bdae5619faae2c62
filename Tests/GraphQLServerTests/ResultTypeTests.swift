import GraphQLServer
import Testing

@Suite("Swift types of resolvers that their fields never have")
struct ResultTypeTests {
  private struct Cat: Sendable { let id = 1 }
  private struct Dog: Sendable { let id = 2 }
  private struct Stone: Sendable {}
  private enum Mood { case good }
  private enum Size: String { case small = "SMALL" }
  private struct CatID: RawRepresentable { let rawValue: Int }
  private class Plant: @unchecked Sendable { var id: Int { 3 } }
  private final class Tree: Plant, @unchecked Sendable {}

  private static func schema(_ fields: String) -> GraphQLSchema<Void> {
    var schema = GraphQLSchema<Void>(
      """
      type Query { \(fields) }
      type Subscription { cats: Cat }
      union Pet = Cat | Dog
      type Cat { id: Int friend: Cat } type Dog { id: Int } type Plant { id: Int }
      enum Size { SMALL } scalar JSON
      """
    )
    schema.object("Cat", Cat.self) { $0.field("id", \.id) }
    schema.object("Dog", Dog.self) { $0.field("id", \.id) }
    schema.object("Plant", Plant.self) { $0.field("id", \.id) }
    return schema
  }

  @Test func `are errors of the start`() {
    var schema = Self.schema(
      "cat: Cat stone: Cat list: [Cat!] lists: [[Int]] single: Cat text: String size: Size map: Int pet: Pet late: Cat"
    )
    schema.query("cat") { _ in Dog() }
    schema.query("stone") { _ in Stone?.none }
    schema.query("list") { _ in Cat() }
    schema.query("lists") { _ in [1] }
    schema.query("single") { _ in [Cat()] }
    schema.query("text") { _ in Mood.good }
    schema.query("size") { _ in Cat() }
    schema.query("map") { _ in ["a": 1] }
    schema.query("pet") { _ in Stone() }
    schema.query("late") { _ in
      await Task.yield()
      return 5
    }
    schema.object("Cat", Cat.self) { cat in cat.field("friend", by: \.id) { _, _ in [1: Dog()] } }
    schema.subscription("cats") { _ in AsyncStream<[Cat]> { $0.finish() } }
    let error = #expect(throws: GraphQLSchemaError.self) { try GraphQLExecutor(schema) }
    #expect(
      error?.description == """
        Cat.friend is resolved with Dog, but the Swift type of Cat is Cat.
        Query.cat is resolved with Dog, but the Swift type of Cat is Cat.
        Query.late is resolved with Int, but the Swift type of Cat is Cat.
        Query.list is resolved with Cat, but [Cat!] is a list.
        Query.lists is resolved with Array<Int>, but [Int] is a list.
        Query.map is resolved with Dictionary<String, Int>, but Int is a leaf type.
        Query.pet is resolved with Stone, but Stone is not registered as an object type of Pet.
        Query.single is resolved with Array<Cat>, but Cat is not a list.
        Query.size is resolved with Cat, but Size is a leaf type.
        Query.stone is resolved with Optional<Stone>, but the Swift type of Cat is Cat.
        Query.text is resolved with Mood, but String is a leaf type.
        Subscription.cats is resolved with Array<Cat>, but Cat is not a list.
        """
    )
  }

  @Test func `are not reported if a value can have them`() throws {
    var schema = Self.schema(
      """
      cat: Cat cats: [Cat!]! pets: [Pet] any: Cat leaf: Int size: Size id: ID keys: [Int] sets: [[Int]] plant: Plant
      json: JSON map: JSON items: JSON value: [Int] hash: String never: Int
      """
    )
    schema.query("cat") { _ in Cat??.none }
    schema.query("cats") { _ in [Cat?]() }
    schema.query("pets") { _ in [Cat() as any Sendable, Dog()] }
    schema.query("any") { _ -> any Sendable in Cat() }
    schema.query("leaf") { _ -> (any Sendable)? in nil }
    schema.query("size") { _ in Size.small }
    schema.query("id") { _ in CatID(rawValue: 1) }
    schema.query("keys") { _ in [1: 2].keys }
    schema.query("sets") { _ in [Set([1])] }
    schema.query("plant") { _ in Tree() }
    schema.query("json") { _ in GraphQLValue.null }
    schema.query("map") { _ in ["a": [1]] }
    schema.query("items") { _ in [1] }
    schema.query("value") { _ in GraphQLValue.list([1]) }
    schema.query("hash") { _ -> any Hashable & Sendable in "a" }
    schema.query("never") { _ -> Never in throw CancellationError() }
    schema.object("Cat", Cat.self) { cat in
      cat.field("friend", by: \.id) { _, _ -> [Int: Result<Cat, any Error>] in [:] }
    }
    schema.subscription("cats") { _ in AsyncStream<Cat?> { $0.finish() } }
    _ = try GraphQLExecutor(schema)
  }
}
