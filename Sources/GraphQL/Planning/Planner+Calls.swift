extension Planner {
  /// The call of a field node. Nodes with equal identity share one call.
  mutating func call(
    of node: NodeIndex,
    field index: Int,
    _ definition: FieldDefinition,
    on type: TypeID
  ) throws(GraphQLError) -> FieldCallReference {
    let arguments = try arguments(of: node, definition, on: type)
    let identity = FieldCallIdentity(type: type, field: index, arguments: arguments.identity)
    let binding = executable.bindings[type.index][index]
    let kind: FieldCallReference.Kind
    if schema[definition.type.type].isComposite {
      kind = .objects
    } else if case .column = binding {
      kind = .stored
    } else {
      kind = .leaf
    }
    return calls.register(
      identity,
      kind: kind,
      draft: FieldCallDraft(
        parentType: type,
        name: definition.name,
        type: definition.type,
        binding: binding,
        arguments: arguments,
        weights: executable.weights.fields[type.index][index],
        coordinate: "\(schema[type].name).\(definition.name)"
      )
    )
  }

  private mutating func arguments(
    of field: NodeIndex,
    _ definition: FieldDefinition,
    on type: TypeID
  ) throws(GraphQLError) -> ArgumentDraft {
    guard !definition.arguments.isEmpty else { return .none }
    if let known = arguments.known(of: field, on: type) { return known }
    return arguments.insert(try values(of: field, definition), of: field, on: type)
  }

  private func values(
    of field: NodeIndex,
    _ definition: FieldDefinition
  ) throws(GraphQLError) -> ArgumentDraft.Values {
    guard containsVariables(field) else {
      do {
        return .constant(
          try ArgumentCoercion.coerce(
            field,
            definitions: definition.arguments,
            in: LiteralCoercion(schema: schema, document: document, variables: nil)
          )
        )
      } catch {
        throw GraphQLError(
          error.message,
          at: [error.origin.location(in: document, of: field)],
          code: .badUserInput
        )
      }
    }
    return dynamicArguments(of: field, definition)
  }

  func dynamicArguments(of field: NodeIndex, _ definition: FieldDefinition) -> ArgumentDraft.Values {
    let given = GivenArguments(of: field, definitions: definition.arguments, in: document)
    return .dynamic(given, texts: given.arguments.map { $0.map { Printer.print($0.value, of: document) } })
  }

  /// Whether any argument contains a variable, at any depth. The nodes of the value are the argument's subtree.
  private func containsVariables(_ field: NodeIndex) -> Bool {
    document.children(of: field, .argument).contains { argument in
      (argument..<Int(document[argument].subtreeEnd)).contains { document[$0].kind == .variable }
    }
  }
}

struct FieldCallDraft {
  let parentType: TypeID
  let name: String
  let type: TypeReference
  let binding: FieldBinding
  let arguments: ArgumentDraft
  let weights: FieldWeights
  let coordinate: String
  var selected: Set<String> = []
}

/// A reference to a call: its kind, and its slot among the calls of that kind.
struct FieldCallReference: Hashable {
  enum Kind {
    case objects
    /// A computed leaf.
    case leaf
    /// A leaf stored in the row. There is no resolver to call and nothing to share.
    case stored
  }
  let kind: Kind
  let slot: Int
}

/// The calls of a plan, while the plan is made.
struct FieldCallDrafts {
  private var drafts: [FieldCallReference.Kind: [FieldCallDraft]] = [:]
  private var references: [FieldCallIdentity: FieldCallReference] = [:]

  mutating func register(
    _ identity: FieldCallIdentity,
    kind: FieldCallReference.Kind,
    draft: FieldCallDraft
  ) -> FieldCallReference {
    if let reference = references[identity] { return reference }
    let reference = FieldCallReference(kind: kind, slot: drafts[kind]?.count ?? 0)
    drafts[kind, default: []].append(draft)
    references[identity] = reference
    return reference
  }

  mutating func select(_ field: String, in call: FieldCallReference) {
    drafts[call.kind]?[call.slot].selected.insert(field)
  }

  struct FinishedCalls {
    fileprivate(set) var calls: [FieldCallReference.Kind: [FieldCall]] = [:]
    fileprivate(set) var dynamicArgumentCount = 0

    func call(_ reference: FieldCallReference) -> FieldCall? { calls[reference.kind]?[reference.slot] }
  }

  func finish() -> FinishedCalls {
    var finished = FinishedCalls()
    for (kind, drafts) in drafts {
      finished.calls[kind] = drafts.map { draft in
        let arguments: ArgumentPlan
        switch draft.arguments.values {
        case .constant(let constant): arguments = .constant(constant)
        case .dynamic(let given, _):
          arguments = .dynamic(slot: finished.dynamicArgumentCount, given)
          finished.dynamicArgumentCount += 1
        }
        return FieldCall(
          parentType: draft.parentType,
          name: draft.name,
          type: draft.type,
          binding: draft.binding,
          arguments: arguments,
          selected: draft.selected,
          weights: draft.weights,
          coordinate: draft.coordinate
        )
      }
    }
    return finished
  }
}
