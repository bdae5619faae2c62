import GraphQL

/// The payload of all mutations that remove an object.
enum RemovePayload {
  static let binding = Payload.binding(more: [
    "removedId": .leaf(needs: []) { view in
      guard let removed = view.value(as: Payload.self)?.removed else { return .null }
      return .string(request(view.context).cipher.text(of: removed))
    }
  ])
}
