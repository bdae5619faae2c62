import Testing

@testable import GraphQL

/// A schema with every kind of type, for the validation tests.
let familySchema = Result {
  try SchemaBuilder.build(
    """
    directive @onQuery on QUERY
    directive @cached(seconds: Int!, scope: String) on FIELD
    directive @note(text: String) repeatable on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT | FRAGMENT_DEFINITION
    directive @mark on FIELD | VARIABLE_DEFINITION

    interface Node { id: ID! }
    interface Member implements Node { id: ID! name(short: Boolean): String owner: Member }
    type Adult implements Node & Member {
      id: ID! name(short: Boolean): String owner: Member email: String! age: Int children: [Child!]!
    }
    type Child implements Node & Member {
      id: ID! name(short: Boolean): String owner: Adult points: Int! age: String best: Chore nick: String @deprecated
    }
    type Chore implements Node { id: ID! title: String! done: Boolean assignees: [Member!]! grade: Grade }
    union Viewer = Adult | Child
    union Result = Chore | Child
    enum Grade { LOW MIDDLE HIGH OLD @deprecated(reason: "Use LOW.") }
    scalar Moment
    input ChoreInput { title: String! grade: Grade = LOW points: Int! = 1 tags: [String!] inner: ChoreInput }
    input Where @oneOf { id: ID title: String }

    type Query {
      viewer: Viewer
      member(name: String): Member
      adult: Adult
      child(id: ID, level: Int): Child
      chores(first: Int = 10, ids: [ID!], grade: Grade, at: Moment): [Chore!]
      chore(where: Where!): Chore
      check(int: Int, float: Float, string: String, boolean: Boolean, id: ID, list: [Int!], matrix: [[Int]]): Boolean
      results: [Result!]
    }
    type Mutation { add(input: ChoreInput!, at: Moment): Chore remove(ids: [ID!]!): Boolean }
    type Subscription { changed: Chore removed(first: Int): ID }
    """
  )
}

/// An error as its locations and message.
struct Fault: Hashable, CustomStringConvertible {
  let locations: [[Int]]
  let message: String

  init(_ locations: [Int]..., message: String) {
    self.locations = locations
    self.message = message
  }

  init(_ error: GraphQLError) {
    locations = error.locations.map { [$0.line, $0.column] }
    message = error.message
  }

  var description: String {
    "\(locations.map { "\($0[0]):\($0[1])" }.joined(separator: " ")) \(message)"
  }
}

/// The errors of a document as `line:column … message`.
func faults(_ text: String, _ options: ValidationOptions = ValidationOptions()) throws -> [String] {
  let document = try Parser.parse(Source(text))
  return Validator.validate(document, against: try familySchema.get(), options: options).map { "\(Fault($0))" }
}

/// Joins the texts for the numbers from 0 to `count - 1` with spaces.
func many(_ count: Int, _ text: (Int) -> String) -> String {
  var texts: [String] = []
  for number in 0..<count { texts.append(text(number)) }
  return texts.joined(separator: " ")
}
