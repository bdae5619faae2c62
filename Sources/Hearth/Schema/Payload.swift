import GraphQL

/// What a mutation answers with: the keys of what it changed, by the payload's field, or why it changed nothing.
struct Payload: Sendable {
  var objects: [String: [GlobalID]] = [:]
  /// What the payload type shows besides objects with keys, as Swift values.
  var values: [any Sendable] = []
  /// For payloads that say no more than that it was done.
  var isDone = false
  var removed: GlobalID?
  var errors: [UserError] = []

  init(_ objects: [String: [GlobalID]]) { self.objects = objects }
  init(values: [any Sendable]) { self.values = values }
  static let done: Payload = {
    var payload = Payload([:])
    payload.isDone = true
    return payload
  }()
  init(removed: GlobalID) { self.removed = removed }
  init(errors: [UserError]) { self.errors = errors }

  /// A payload type with fields for these objects.
  static func binding(_ objects: String..., more: [String: FieldBinding] = [:]) -> ObjectBinding {
    var fields: [String: FieldBinding] = [
      "userErrors": .values { (payload: Payload) in payload.errors }
    ]
    for name in objects {
      fields[name] = .keys { (payload: Payload) in payload.objects[name] ?? [] }
    }
    return ObjectBinding(fields: fields.merging(more) { _, own in own })
  }

  /// A payload type with a field that says whether it was done.
  static func binding(done name: String) -> ObjectBinding {
    binding(more: [name: .property { (payload: Payload) in .boolean(payload.isDone) }])
  }
}

extension FieldBinding {
  /// A mutation. `perform` says what came of it, or throws: `FieldError` for an error in the answer's list, `Refused`
  /// for user errors that only the write has found.
  static func mutation(
    _ perform: @escaping @Sendable (Arguments, RequestContext) async throws -> Payload
  ) -> FieldBinding {
    .asyncLoad(needs: []) { batch, context in
      let payload: Payload
      do {
        payload = try await perform(batch.arguments, request(context))
      } catch let refused as Refused {
        payload = Payload(errors: refused.errors)
      }
      batch.add(0, value: payload, of: batch.resultType)
    }
  }
}
