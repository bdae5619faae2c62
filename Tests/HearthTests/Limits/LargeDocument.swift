import GraphQL

/// A document of at most 15,000 tokens and 256 KB, which has as much of one thing as the limits allow, or more.
struct LargeDocument {
  let name: String
  let text: String

  static func all(for schema: Schema) -> [LargeDocument] {
    let selections = NodeSelections(in: schema)
    return selections.documents + values + fragments + overlapping
  }

  private static let values = [
    LargeDocument(name: "one field", text: "{ viewer { \(many(14_900) { _ in "__typename" }) } }"),
    LargeDocument(name: "unknown fields", text: "{ \(many(14_900) { "unknown\($0)" }) }"),
    LargeDocument(name: "a text", text: "{ node(id: \"\(String(repeating: "x", count: 260_000))\") { id } }"),
    LargeDocument(name: "ids", text: "{ nodes(ids: [\(many(14_900) { #""\#($0)""# })]) { id } }"),
    LargeDocument(
      name: "variables",
      text: "query(\(many(1_400) { "$v\($0): [ID!]! = []" })) { viewer { __typename } }"
    ),
    LargeDocument(
      name: "conditions",
      text: """
        query(\(many(700) { "$v\($0): Boolean! = true" })) {
          viewer { \(many(700) { "__typename @skip(if: $v\($0))" }) }
        }
        """
    ),
    LargeDocument(
      name: "introspection",
      text: """
        { \(many(5) { "a\($0): __schema { types { name fields { name args { name description type { name } } } } }" }) }
        """
    ),
  ]

  private static let fragments = [
    LargeDocument(name: "a chain of fragments", text: "{ ...F0 } \(chain(900))"),
    LargeDocument(
      name: "fields in many levels",
      text: "{ family { ...F0 } } \(levels(14)) fragment T on Node { \(many(14_500) { _ in "id" }) }"
    ),
    LargeDocument(
      name: "objects in many levels",
      text: "{ family { ...F0 } } \(levels(14)) fragment T on Family { \(many(3_600) { _ in "parents { id }" }) }"
    ),
    LargeDocument(
      name: "long response keys in many objects",
      text: """
        { \(many(90) { #"a\#($0): node(id: "1") { ...T }"# }) }
        fragment T on Node { \(many(9) { "a\(longName.prefix(50))\($0): id" }) }
        """
    ),
    LargeDocument(
      name: "a long response key in objects of every type",
      text: "{ \(many(90) { #"a\#($0): node(id: "1") { ...T }"# }) } fragment T on Node { \(longName): __typename }"
    ),
  ]

  private static let overlapping = [
    LargeDocument(name: "conflicts", text: "{ \(many(1_300) { #"a: node(id: "\#($0)") { id }"# }) }"),
    LargeDocument(
      name: "conflicts in conflicts",
      text: "{ \(conflicts(in: [4, 4, 4], leaf: { _ in many(5) { #"family { child(id: "\#($0)") { id } }"# } })) }"
    ),
    LargeDocument(
      name: "conflicts of long response keys",
      text: "{ \(conflicts(in: [2, 5, 5], leaf: { "\(longName.prefix(4_900)): \($0 % 2 == 0 ? "id" : "name")" })) }"
    ),
    LargeDocument(
      name: "a conflict beside a chain of fragments",
      text: "{ ...F0 __typename: viewer { __typename } __typename } \(chain(1_500))"
    ),
    LargeDocument(
      name: "combinations of fragments",
      text: """
        { __typename }
        fragment A on Family { children { family { ...A ...B } } deletedChildren { family { ...A } } }
        fragment B on Family { children { family { ...C0 } } deletedChildren { family { ...C0 } } }
        \(many(24) {
          "fragment C\($0) on Family { children { family { ...C\($0 + 1) } } deletedChildren { family { ...C\($0 + 1) } } }"
        })
        fragment C24 on Family { id }
        """
    ),
    LargeDocument(
      name: "every fragment in every fragment",
      text: """
        { __typename: viewer { __typename } __typename }
        \(many(97) { one in
          "fragment F\(one) on Query { \((one + 1..<98).map { "...F\($0)" }.joined(separator: " ")) }"
        })
        fragment F97 on Query { __typename }
        """
    ),
  ]

  private static let longName = String(repeating: "n", count: 250_000)

  private static func chain(_ count: Int) -> String {
    many(count) { "fragment F\($0) on Query { ...F\($0 + 1) }" } + " fragment F\(count) on Query { __typename }"
  }

  /// Fragments that spread the fragment `T` in families within families.
  private static func levels(_ count: Int) -> String {
    many(count) { "fragment F\($0) on Family { ...T child(id: \"1\") { family { ...F\($0 + 1) } } }" }
      + " fragment F\(count) on Family { ...T }"
  }

  /// Fields that are merged level by level, the last of which are in conflict.
  private static func conflicts(in counts: [Int], under parent: Int = 0, leaf: (Int) -> String) -> String {
    guard let count = counts.first else { return leaf(parent) }
    return many(count) { number in
      "family { children { \(conflicts(in: Array(counts.dropFirst()), under: number, leaf: leaf)) } }"
    }
  }
}

/// Selections of many objects.
private struct NodeSelections {
  private let schema: Schema
  private let nodes: [TypeDefinition]

  init(in schema: Schema) {
    self.schema = schema
    nodes = schema.types.filter { type in
      type.kind == .object && type.interfaces.contains { schema[$0].name == "Node" }
    }
  }

  var documents: [LargeDocument] {
    [10, 20, 40, 90].map { count in
      LargeDocument(
        name: "\(count) times every node",
        text: "{ \(many(count) { #"a\#($0): node(id: "1") { ...F }"# }) } \(ofEveryNode)"
      )
    }
      + [
        LargeDocument(
          name: "deferred parts",
          text: "{ \(many(90) { #"a\#($0): node(id: "1") { ... @defer { ...F } }"# }) } \(ofEveryNode)"
        )
      ]
      + nodes.map { LargeDocument(name: "what a \($0.name) leads to", text: everything(of: $0)) }
  }

  /// The fields without selections of all types that are nodes. Fields with one name have one type, or they would be in
  /// conflict.
  private var ofEveryNode: String {
    var types: [String: TypeReference] = [:]
    let parts = nodes.map { node in
      let leaves = node.fields.filter { field in
        guard schema[field.type.type].isLeaf, field.arguments.allSatisfy({ !$0.isRequired }) else { return false }
        return types[field.name, default: field.type] == field.type
      }
      for leaf in leaves { types[leaf.name] = leaf.type }
      return "... on \(node.name) { \(leaves.map(\.name).joined(separator: " ")) }"
    }
    return "fragment F on Node { \(parts.joined(separator: " ")) }"
  }

  /// All fields below a type, in as many levels as the limits on a document allow.
  private func everything(of node: TypeDefinition) -> String {
    let texts = (1..<8).lazy.map { levels in
      #"{ node(id: "1") { ... on \#(node.name) { \#(selection(of: node, levels: levels)) } } }"#
    }
    return texts.prefix { text in text.utf8.count < 256 << 10 && text.split(separator: " ").count < 15_000 }
      .reduce("{ __typename }") { $1 }
  }

  private func selection(of type: TypeDefinition, levels: Int) -> String {
    let fields = type.fields.compactMap { field -> String? in
      let inner = schema[field.type.type]
      guard field.arguments.allSatisfy({ !$0.isRequired }), inner.isLeaf || levels > 0 else { return nil }
      return inner.isLeaf ? field.name : "\(field.name) { \(selection(of: inner, levels: levels - 1)) }"
    }
    return (["__typename"] + fields).joined(separator: " ")
  }
}

/// Numbered texts, separated by spaces.
private func many(_ count: Int, _ text: (Int) -> String) -> String {
  (0..<count).map(text).joined(separator: " ")
}
