import GraphQL

/// `Query.node` and `Query.nodes`: objects by their ids. A subgraph's `Query._entities` has types in addition.
struct NodeQuery: Sendable {
  private static let maximumIDs = 100

  /// The loaders for kinds whose objects can be removed. The row of a removed object is kept for the history, but its
  /// id is not found. Objects of other kinds are loaded together with their selected fields.
  /// Indexed by the raw value of the kind.
  private let lookups: [Loader?]

  init(lookups: [Kind: Loader]) {
    self.lookups = (0..<1 << Int(GlobalID.kindBits)).map { Kind(rawValue: Int64($0)).flatMap { lookups[$0] } }
  }

  /// - Parameter isSubgraph: Whether `Query` has the field `_entities`.
  func fields(isSubgraph: Bool) -> [String: FieldBinding] {
    var fields = fields
    if isSubgraph { fields["_entities"] = entities }
    return fields
  }

  private var fields: [String: FieldBinding] {
    [
      "node": .objects { batch, context in
        _ = try context.requireFamily()
        _ = try add(batch.arguments["id"], to: &batch, in: context)
      },
      "nodes": .objects { batch, context in
        _ = try context.requireFamily()
        for id in try Self.list("ids", of: batch) {
          // The list has null for an id that is not found.
          if try !add(id, to: &batch, in: context) { batch.addNull(0) }
        }
      },
    ]
  }

  private var entities: FieldBinding {
    .objects { batch, context in
      _ = try context.requireFamily()
      for representation in try Self.list("representations", of: batch) {
        let type = representation["__typename"]?.string
        let kind = context.cipher.key(of: representation["id"])?.kind
        // By bytes: see `CombiningMarks`.
        let name = kind.flatMap(context.types.name)
        let fits = if let name, let type { type.utf8.elementsEqual(name.utf8) } else { false }
        if try !fits || !add(representation["id"], to: &batch, in: context) { batch.addNull(0) }
      }
    }
  }

  private static func list(_ argument: String, of batch: borrowing Batch) throws(FieldError) -> [InputValue] {
    let values = batch.arguments[argument]?.list ?? []
    guard values.count <= maximumIDs else {
      throw FieldError(
        "`\(argument)` has \(values.count) entries, but at most \(maximumIDs) are allowed.",
        code: .badUserInput
      )
    }
    return values
  }

  /// Adds the object with an id, if the viewer may see it. Returns false if there is none.
  private func add(_ id: InputValue?, to batch: inout Batch, in context: RequestContext) throws -> Bool {
    guard let key = context.cipher.key(of: id) else { return false }
    if let kind = key.kind, let loader = lookups[Int(kind.rawValue)] {
      return try loader.add(key, to: &batch, in: context)
    }
    batch.add(0, key: key.rawValue)
    return true
  }
}
