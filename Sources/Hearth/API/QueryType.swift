import GraphQL

enum QueryType {
  static let binding = ObjectBinding(fields: [
    "viewer": .objects { batch, context in
      try context.checkToken()
      if let viewer = context.viewer { batch.add(0, key: viewer.key.rawValue) }
    },
    "family": .objects { batch, context in
      batch.add(0, key: try context.requireViewer().family.rawValue)
    },
    "node": .objects { batch, context in
      _ = try context.requireViewer()
      if let key = context.services.cipher.key(of: batch.arguments["id"]?.string ?? ""),
        try !Removal.hasTaken(key, context)
      {
        batch.add(0, key: key.rawValue)
      }
    },
    "nodes": .objects { batch, context in
      _ = try context.requireViewer()
      let ids = batch.arguments["ids"]?.list ?? []
      guard ids.count <= 100 else {
        throw FieldError("`ids` has \(ids.count) entries, but at most 100 are allowed.", code: .badUserInput)
      }
      for id in ids {
        // What is no id of ours is the key of nothing, so that it has its place in the list like all that is not found.
        let key = context.services.cipher.key(of: id.string ?? "")
        batch.add(0, key: try key.flatMap { try Removal.hasTaken($0, context) ? nil : $0.rawValue } ?? 0)
      }
    },
    "search": .connection(SearchPages.order) { _, asked, context in try SearchPages.page(asked, context) },
  ])
}
