import GraphQL

/// The payload of a mutation.
enum Payload: Sendable {
  /// The keys of the changed objects by field.
  case objects(ChangedObjects)
  /// Objects of the payload that have no keys, as Swift values.
  case values([any Sendable])
  /// Reports success, and nothing else.
  case done
  case removed(GlobalID)
  case errors([UserError])

  init(_ objects: ChangedObjects) { self = .objects(objects) }
  init(values: [any Sendable]) { self = .values(values) }
  init(removed: GlobalID) { self = .removed(removed) }
  init(errors: [UserError]) { self = .errors(errors) }

  // What the fields of payload types read. It is empty if the payload is another case.

  private var objects: ChangedObjects { if case .objects(let objects) = self { objects } else { [:] } }
  var values: [any Sendable] { if case .values(let values) = self { values } else { [] } }
  private var isDone: Bool { if case .done = self { true } else { false } }
  var removed: GlobalID? { if case .removed(let key) = self { key } else { nil } }
  private var errors: [UserError] { if case .errors(let errors) = self { errors } else { [] } }

  /// A payload type with a field for each of these objects.
  static func binding(_ objects: String..., more: [String: FieldBinding] = [:]) -> ObjectBinding {
    var fields: [String: FieldBinding] = [
      "userErrors": .values { (payload: Payload) in payload.errors }
    ]
    for name in objects {
      fields[name] = .keys { (payload: Payload) in payload.objects[name] }
    }
    return ObjectBinding(fields: fields.merging(more) { _, own in own })
  }

  /// A payload type with a field that reports success.
  static func binding(done name: String) -> ObjectBinding {
    binding(more: [name: .property { (payload: Payload) in .boolean(payload.isDone) }])
  }
}

/// The keys of changed objects by field. A list, because a payload has one to three of them, for which a dictionary
/// takes 700 instructions more.
struct ChangedObjects: ExpressibleByDictionaryLiteral, Sendable {
  private(set) var fields: [(String, [GlobalID])]

  init(dictionaryLiteral fields: (String, [GlobalID])...) { self.fields = fields }

  mutating func append(_ keys: [GlobalID], to name: String) { fields.append((name, keys)) }

  subscript(name: String) -> [GlobalID] { fields.first { $0.0 == name }?.1 ?? [] }
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
      let context = request(context)
      let run = context.idempotentRun
      run?.beginField()
      var payload: Payload
      do {
        // A repetition was counted before, and reports what was stored then.
        if run?.repeatsField != true { try context.takeMutation(arguments) }
        payload = try await perform(arguments, context)
      } catch let rejected as RejectedInput {
        payload = Payload(errors: rejected.errors)
      } catch {
        run?.failField()
        throw error
      }
      if isCurrent, case .errors(let errors) = payload { payload = .errors(errors.map(form.current)) }
      try run?.endField()
      batch.add(0, value: payload, of: batch.resultType)
    }
  }
}

/// Payloads with values, such as credentials, or with user errors cannot be restored.
extension Payload: WriteOutcome {
  private static let doneLine = "done"

  /// The first line is `done` or empty, the second is the removed key or empty, and each two of the others are a field
  /// and its keys.
  var outcome: String? {
    switch self {
    case .objects(let objects):
      (["", ""] + objects.fields.flatMap { [$0, $1.outcome ?? ""] }).joined(separator: "\n")
    case .done: "\(Self.doneLine)\n"
    case .removed(let key): key.outcome.map { "\n\($0)" }
    case .values, .errors: nil
    }
  }

  init?(outcome: String) {
    let lines = outcome.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard lines.count >= 2, lines.count.isMultiple(of: 2) else { return nil }
    if lines[0] == Self.doneLine {
      self = .done
    } else if let key = GlobalID(outcome: lines[1]) {
      self = .removed(key)
    } else {
      var objects: ChangedObjects = [:]
      for index in stride(from: 2, to: lines.count, by: 2) {
        guard let keys = [GlobalID](outcome: lines[index + 1]) else { return nil }
        objects.append(keys, to: lines[index])
      }
      self = .objects(objects)
    }
  }
}
