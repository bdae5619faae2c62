extension Planner {
  /// The call of a field node. Nodes with equal identity share one call.
  mutating func call(of node: NodeIndex, _ field: BoundField) throws(GraphQLError) -> FieldCallReference {
    // The schema does not allow arguments here.
    if case .column(let column) = field.call.binding { return .stored(field.call, column: column) }
    let arguments = field.hasArguments ? try arguments(of: node, field) : .none
    let identity = FieldCallIdentity(field: field.index, arguments: arguments.identity)
    let draft = FieldCallDraft(field: field.call, arguments: arguments)
    return field.isComposite
      ? .objects(calls.registerObjects(draft, as: identity)) : .leaf(calls.registerLeaf(draft, as: identity))
  }

  private mutating func arguments(of node: NodeIndex, _ field: BoundField) throws(GraphQLError) -> ArgumentDraft {
    let type = field.call.parentType
    if let known = arguments.known(of: node, on: type) { return known }
    let definitions = schema.index.fieldDefinitions[field.index].arguments
    return arguments.insert(try values(of: node, definitions), of: node, on: type)
  }

  private func values(
    of field: NodeIndex,
    _ definitions: [InputValueDefinition]
  ) throws(GraphQLError) -> ArgumentDraft.Values {
    guard !containsVariables(field) else { return dynamicArguments(of: field, definitions) }
    do {
      return .constant(
        try ArgumentCoercion.coerce(
          field,
          definitions: definitions,
          in: LiteralCoercion(schema: schema, document: document, variables: nil)
        )
      )
    } catch {
      throw GraphQLError(error.message, at: [error.origin.location(in: document, of: field)], code: .badUserInput)
    }
  }

  func dynamicArguments(of field: NodeIndex, _ definitions: [InputValueDefinition]) -> ArgumentDraft.Values {
    let given = GivenArguments(of: field, definitions: definitions, in: document)
    let texts = given.arguments.map { argument in
      argument.map { $0.variable.map { "$" + $0 } ?? Printer.print($0.value, of: document) }
    }
    return .dynamic(given, texts: texts)
  }

  /// Whether any argument contains a variable, at any depth. The nodes of the value are the argument's subtree.
  private func containsVariables(_ field: NodeIndex) -> Bool {
    document.children(of: field, .argument).contains { argument in
      (argument..<Int(document[argument].subtreeEnd)).contains { document[$0].kind == .variable }
    }
  }
}

/// Selections with equal identity share one field call.
struct FieldCallIdentity: Hashable {
  /// The index in `SchemaIndex.fields`.
  let field: Int
  /// `ArgumentDraft.identity`.
  let arguments: Int

  func hash(into hasher: inout Hasher) { hasher.combine(field << 32 ^ arguments) }
}

struct FieldCallDraft {
  /// Its call without arguments.
  let field: FieldCall
  let arguments: ArgumentDraft
  var selected = PositionSet()
}

/// The calls of a plan, while the plan is made.
struct FieldCallDrafts {
  private var objects: [FieldCallDraft] = []
  private var leaves: [FieldCallDraft] = []
  private var slots = SmallDictionary<FieldCallIdentity, Int>()
  /// `ExecutableSchema.fieldNames`.
  private let names: [String]

  init(names: [String], capacity: Int) {
    self.names = names
    objects.reserveCapacity(capacity)
  }

  /// The slot of a call that returns objects.
  mutating func registerObjects(_ draft: FieldCallDraft, as identity: FieldCallIdentity) -> Int {
    let slot = slots.value(of: identity, orInsert: objects.count)
    if slot == objects.count { objects.append(draft) }
    return slot
  }

  /// The slot of a call that returns leaves.
  mutating func registerLeaf(_ draft: FieldCallDraft, as identity: FieldCallIdentity) -> Int {
    let slot = slots.value(of: identity, orInsert: leaves.count)
    if slot == leaves.count { leaves.append(draft) }
    return slot
  }

  /// Notes that a field is selected of the objects of a call.
  /// - Parameter name: Its position in `ExecutableSchema.fieldNames`.
  mutating func select(_ name: Int, in call: Int) { objects[call].selected.insert(name, of: names.count) }

  struct FinishedCalls {
    fileprivate(set) var objects: [FieldCall] = []
    fileprivate(set) var leaves: [FieldCall] = []
    fileprivate(set) var dynamicArgumentCount = 0
  }

  func finish() -> FinishedCalls {
    var finished = FinishedCalls()
    finished.objects = objects.map { call(of: $0, &finished.dynamicArgumentCount) }
    finished.leaves = leaves.map { call(of: $0, &finished.dynamicArgumentCount) }
    return finished
  }

  private func call(of draft: FieldCallDraft, _ dynamicArgumentCount: inout Int) -> FieldCall {
    let arguments: ArgumentPlan
    switch draft.arguments.values {
    case .constant(let constant):
      if draft.arguments.identity == ArgumentDraft.none.identity, draft.selected.isEmpty { return draft.field }
      arguments = .constant(constant)
    case .dynamic(let given, _):
      arguments = .dynamic(slot: dynamicArgumentCount, given)
      dynamicArgumentCount += 1
    }
    return FieldCall(draft.field, arguments: arguments, selected: draft.selected.elements(of: names))
  }
}
