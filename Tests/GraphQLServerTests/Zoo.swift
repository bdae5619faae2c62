import GraphQLServer
import Synchronization

/// A schema of everything that resolvers can return.
enum Zoo {
  enum Diet: String, Sendable, Decodable {
    case plants = "PLANTS"
    case meat = "MEAT"
  }

  struct Cat: Sendable {
    let id: Int
    var name: String
    var diet = Diet.meat
    var keeperID: Int? = nil
  }

  struct Fish: Sendable {
    let id: Int
    let depth: Double
  }

  struct Keeper: Sendable {
    let id: Int
    let name: String
  }

  struct Filter: Decodable {
    var diet: Diet?
    var names: [String]
    var limit: Int
  }

  struct Unknown: Sendable {}
  struct Secret: Error {}

  /// Counts the calls of loaders.
  final class Calls: Sendable {
    private let keys = Mutex<[String]>([])
    func note(_ name: String, _ keys: [Int]) { self.keys.withLock { $0.append("\(name) \(keys)") } }
    var noted: [String] { keys.withLock { $0 } }
  }

  struct Context: Sendable {
    let calls = Calls()
    var user: String? = nil
  }

  static let cats = [
    Cat(id: 1, name: "Mog", keeperID: 7), Cat(id: 2, name: "Tom", diet: .plants, keeperID: 8),
    Cat(id: 3, name: "Ivy", keeperID: 7), Cat(id: 4, name: "Stray"),
  ]

  static let sdl = """
    type Query {
      cats(filter: Filter, reversed: Boolean! = false): [Cat!]!
      cat(id: ID!): Cat
      animals: [Animal!]!
      strangers: [Animal]
      grid: [[Int!]!]!
      secret: String
      notALeaf: String
      user: String
    }
    type Mutation { rename(id: ID!, name: String!): Cat! }
    type Subscription { count(to: Int!): Int! cats: Cat! failing: Int! }
    interface Animal { id: ID! }
    type Cat implements Animal {
      id: ID!
      name: String!
      diet: Diet!
      keeper: Keeper
      hunts: Int!
      shout(times: Int! = 1): String!
      slow: String!
    }
    type Fish implements Animal { id: ID! depth: Float! }
    type Keeper { name: String! cats: [Cat!]! }
    enum Diet { PLANTS MEAT }
    input Filter { diet: Diet names: [String!]! = [] limit: Int! = 10 }
    """

  static var schema: GraphQLSchema<Context> {
    var schema = GraphQLSchema<Context>(sdl)
    schema.query("cats") { request in
      let filter: Filter? = try request.arguments["filter"]
      let found = cats.filter { cat in
        guard let filter else { return true }
        return (filter.diet ?? cat.diet) == cat.diet && (filter.names.isEmpty || filter.names.contains(cat.name))
      }
      let isReversed: Bool = try request.arguments["reversed"]
      return Array((isReversed ? found.reversed() : found).prefix(filter?.limit ?? 10))
    }
    schema.query("cat") { request in
      let id: Int = try request.arguments["id"]
      guard id < 100 else { throw GraphQLError("There is no such cat.", code: "NOT_FOUND", retryAfter: 3) }
      return cats.first { $0.id == id }
    }
    schema.query("animals") { _ in [cats[0], Fish(id: 9, depth: 1.5)] as [any Sendable] }
    schema.query("strangers") { _ in [cats[0], Unknown()] as [any Sendable] }
    schema.query("grid") { _ in [[1, 2], []] }
    schema.query("secret") { _ -> String in throw Secret() }
    schema.query("notALeaf") { _ -> any Sendable in Unknown() }
    schema.query("user") { request in request.context.user }
    schema.mutation("rename") { request in
      struct Arguments: Decodable { let id: Int, name: String }
      let given = try request.arguments.decode(Arguments.self)
      return Cat(id: given.id, name: given.name)
    }
    schema.subscription("count") { request in
      let end: Int = try request.arguments["to"]
      return AsyncStream<Int> { continuation in
        for number in 0..<end { continuation.yield(number + 1) }
        continuation.finish()
      }
    }
    schema.subscription("cats") { _ in
      AsyncStream<Cat> { continuation in
        for cat in cats.prefix(2) { continuation.yield(cat) }
        continuation.finish()
      }
    }
    schema.subscription("failing") { _ -> AsyncStream<Int> in
      throw GraphQLError("Not today.", code: "CLOSED")
    }
    schema.object("Cat", Cat.self) { cat in
      cat.field("id", \.id)
      cat.field("name", \.name)
      cat.field("diet", \.diet)
      cat.field("shout") { cat, request in
        String(repeating: cat.name.uppercased(), count: try request.arguments["times"])
      }
      cat.field("slow") { cat, _ in
        await Task.yield()
        return cat.name
      }
      cat.field("keeper", by: \.keeperID) { ids, request in
        request.context.calls.note("keeper", ids)
        return [7: Keeper(id: 7, name: "Ann")]
      }
      cat.batchedField("hunts") { cats, request in
        request.context.calls.note("hunts", cats.map(\.id))
        await Task.yield()
        return cats.map { $0.id * 10 }
      }
    }
    schema.object("Fish", Fish.self) { fish in
      fish.field("id", \.id)
      fish.field("depth", \.depth)
    }
    schema.object("Keeper", Keeper.self) { keeper in
      keeper.field("name", \.name)
      keeper.field("cats", by: \.id) { ids, _ in
        Dictionary(grouping: cats.filter { ids.contains($0.keeperID ?? 0) }) { $0.keeperID ?? 0 }
      }
    }
    return schema
  }
}
