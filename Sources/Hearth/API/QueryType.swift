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
      _ = try Lookup.add(context.services.cipher.key(of: batch.arguments["id"]?.string ?? ""), to: &batch, context)
    },
    "nodes": .objects { batch, context in
      _ = try context.requireViewer()
      let ids = batch.arguments["ids"]?.list ?? []
      guard ids.count <= 100 else {
        throw FieldError("`ids` has \(ids.count) entries, but at most 100 are allowed.", code: .badUserInput)
      }
      for id in ids {
        // What is not found has its place in the list too.
        if try !Lookup.add(context.services.cipher.key(of: id.string ?? ""), to: &batch, context) { batch.addNull(0) }
      }
    },
    "search": .connection(SearchPages.order) { _, asked, context in try SearchPages.page(asked, context) },
  ])
}
