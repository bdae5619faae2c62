import GraphQL

/// The payload of a mutation: the keys of the changed objects by field, or user errors.
struct Payload: Sendable {
  var objects: [String: [GlobalID]] = [:]
  /// Objects of the payload that have no keys, as Swift values.
  var values: [any Sendable] = []
  /// For payloads that only report success.
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

  /// A payload type with a field for each of these objects.
  static func binding(_ objects: String..., more: [String: FieldBinding] = [:]) -> ObjectBinding {
    var fields: [String: FieldBinding] = [
      "userErrors": .values { (payload: Payload) in payload.errors }
    ]
    for name in objects {
      fields[name] = .keys { (payload: Payload) in payload.objects[name] ?? [] }
    }
    return ObjectBinding(fields: fields.merging(more) { _, own in own })
  }

  /// A payload type with a field that reports success.
  static func binding(done name: String) -> ObjectBinding {
    binding(more: [name: .property { (payload: Payload) in .boolean(payload.isDone) }])
  }
}

extension FieldBinding {
  /// A mutation. `perform` returns the payload. It throws `FieldError` for a field error, or `RejectedInput` for user
  /// errors that only the write can detect.
  static func mutation(
    _ form: ArgumentForm = .declared,
    _ perform: @escaping @Sendable (Arguments, RequestContext) async throws -> Payload
  ) -> FieldBinding {
    .asyncLoad(needs: []) { batch, context in
      let (arguments, isCurrent) = try form.read(batch.arguments)
      var payload: Payload
      do {
        payload = try await perform(arguments, request(context))
      } catch let rejected as RejectedInput {
        payload = Payload(errors: rejected.errors)
      }
      if isCurrent { payload.errors = payload.errors.map(form.current) }
      batch.add(0, value: payload, of: batch.resultType)
    }
  }
}
