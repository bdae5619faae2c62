import GraphQL

/// `Query.node` and `Query.nodes`: objects by their ids.
struct NodeQuery: Sendable {
  private static let maximumIDs = 100

  /// The loaders for kinds whose objects can be removed. The row of a removed object is kept for the history, but its
  /// id is not found. Objects of other kinds are loaded together with their selected fields.
  let lookups: [Kind: Loader]

  var fields: [String: FieldBinding] {
    [
      "node": .objects { batch, context in
        _ = try context.requireViewer()
        _ = try add(batch.arguments["id"], to: &batch, context)
      },
      "nodes": .objects { batch, context in
        _ = try context.requireViewer()
        let ids = batch.arguments["ids"]?.list ?? []
        guard ids.count <= Self.maximumIDs else {
          throw FieldError(
            "`ids` has \(ids.count) entries, but at most \(Self.maximumIDs) are allowed.",
            code: .badUserInput
          )
        }
        for id in ids {
          // The list has null for an id that is not found.
          if try !add(id, to: &batch, context) { batch.addNull(0) }
        }
      },
    ]
  }

  /// Adds the object with an id, if the viewer may see it. Returns false if there is none.
  private func add(_ id: InputValue?, to batch: inout Batch, _ context: RequestContext) throws -> Bool {
    guard let key = context.services.cipher.key(of: id?.string ?? "") else { return false }
    if let loader = key.kind.flatMap({ lookups[$0] }) { return try loader.add(key, to: &batch, context) }
    batch.add(0, key: key.rawValue)
    return true
  }
}
