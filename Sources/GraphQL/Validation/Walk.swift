/// The walk through the definitions and selections of a document, with the rules that concern single nodes.
///
/// It recurses with the nesting of selection sets and values, which the parser limits. It never follows a spread.
extension Validation {
  /// Collects the fragments, so that spreads that precede them can be checked.
  mutating func collectDefinitions() {
    var at = 1
    var operations = 0
    while at < nodes.count {
      switch nodes[at].kind {
      case .operationDefinition: operations += 1
      case .fragmentDefinition:
        // The parser ensures that a type condition and a selection set exist.
        guard let condition = document.firstChild(of: at, .namedType),
          let selectionSet = document.firstChild(of: at, .selectionSet)
        else { break }
        fragments.append(
          FragmentTable.Fragment(
            node: at,
            type: index.type(nodes[condition], bytes: bytes),
            selectionSet: selectionSet
          )
        )
      default: ExecutableDefinitions.report(at, in: &self)
      }
      at = Int(nodes[at].subtreeEnd)
    }
    if !fragments.isEmpty {
      spreads.reserveCapacity(16)
      // The table is moved out of `self` during the call, because passing a part of `self` together with `self` would
      // copy the validation.
      var table = FragmentTable()
      swap(&table, &fragments)
      table.finish(in: &self)
      swap(&table, &fragments)
      UniqueFragmentNames.check(in: &self)
    }
    if operations > 1 {
      UniqueOperationNames.check(in: &self)
      LoneAnonymousOperation.check(in: &self)
    }
  }

  mutating func walkDocument() {
    var at = 1
    var fragment = 0
    while at < nodes.count {
      let kind = nodes[at].kind
      if kind == .operationDefinition || kind == .fragmentDefinition {
        let isFragment = kind == .fragmentDefinition
        definitions.append(
          ExecutableDefinition(
            node: at,
            fragment: isFragment ? fragment : SchemaIndex.none,
            spreads: spreads.count..<spreads.count,
            variables: variables.count..<variables.count
          )
        )
        if isFragment {
          fragments.setDefinition(definitions.count - 1, of: fragment)
          walk(fragment: at, fragments[fragment])
          fragment += 1
        } else {
          walk(operation: at)
        }
        let last = definitions.count - 1
        definitions[last].spreads = definitions[last].spreads.lowerBound..<spreads.count
        definitions[last].variables = definitions[last].variables.lowerBound..<variables.count
      }
      at = Int(nodes[at].subtreeEnd)
    }
  }

  private mutating func walk(operation: NodeIndex) {
    let type = OperationType(nodes[operation].flags)
    if type == .subscription { SingleFieldSubscriptions.check(operation, in: &self) }
    let root = schema.rootType(type)?.index ?? SchemaIndex.none
    if root < 0 { KnownOperationTypes.report(operation, of: type, in: &self) }
    var child = operation + 1
    let end = Int(nodes[operation].subtreeEnd)
    var hasVariables = false
    while child < end {
      switch nodes[child].kind {
      case .variableDefinition:
        if !hasVariables {
          hasVariables = true
          hasVariableDefinitions = true
          UniqueVariableNames.check(operation, from: child, to: end, in: &self)
        }
        walk(variableDefinition: child)
      case .directive:
        let location: DirectiveLocation =
          switch type {
          case .query: .query
          case .mutation: .mutation
          case .subscription: .subscription
          }
        child = walkDirectives(of: operation, from: child, to: end, location)
        continue
      case .selectionSet: walk(selectionSet: child, on: root, depth: 1)
      default: break
      }
      child = Int(nodes[child].subtreeEnd)
    }
  }

  private mutating func walk(fragment node: NodeIndex, _ fragment: FragmentTable.Fragment) {
    var child = node + 1
    let end = Int(nodes[node].subtreeEnd)
    while child < end {
      switch nodes[child].kind {
      case .namedType:
        if fragment.type < 0 {
          KnownTypeNames.report(child, in: &self)
        } else if !index.types[fragment.type].isComposite {
          FragmentsOnCompositeTypes.report(node, condition: child, in: &self)
        }
      case .directive:
        child = walkDirectives(of: node, from: child, to: end, .fragmentDefinition)
        continue
      case .selectionSet:
        let isComposite = fragment.type >= 0 && index.types[fragment.type].isComposite
        walk(selectionSet: child, on: isComposite ? fragment.type : SchemaIndex.none, depth: 1)
      default: break
      }
      child = Int(nodes[child].subtreeEnd)
    }
  }

  private mutating func walk(variableDefinition definition: NodeIndex) {
    var child = definition + 1
    let end = Int(nodes[definition].subtreeEnd)
    var type: TypeReference?
    var hasType = false
    while child < end {
      let kind = nodes[child].kind
      if kind.isType {
        hasType = true
        type = index.reference(child, nodes: nodes, bytes: bytes)
        if let named = type?.type.index {
          if !index.types[named].isInput {
            VariablesAreInputTypes.report(definition, type: child, in: &self)
            type = nil
          }
        } else {
          KnownTypeNames.check(namedIn: child, in: &self)
        }
      } else if kind == .directive {
        child = walkDirectives(of: definition, from: child, to: end, .variableDefinition)
        continue
      } else if hasType {
        walk(value: child, as: type)
      }
      child = Int(nodes[child].subtreeEnd)
    }
  }

  // MARK: Selections

  private mutating func walk(selectionSet set: NodeIndex, on parent: Int, depth: Int) {
    if depth > definitions[definitions.count - 1].depth { definitions[definitions.count - 1].depth = depth }
    var keys = NameMarks()
    walk(selectionsOf: set, on: parent, depth: depth, &keys)
    if keys.mayRepeat { overlapping.append(set) }
  }

  /// Walks the selections of a set and of its inline fragments, which select on the same object.
  private mutating func walk(selectionsOf set: NodeIndex, on parent: Int, depth: Int, _ keys: inout NameMarks) {
    var child = set &+ 1
    let end = Int(nodes[set].subtreeEnd)
    while child < end {
      let node = nodes[child]
      switch node.kind {
      case .field: walk(field: child, node, on: parent, depth: depth, &keys)
      case .inlineFragment: walk(inlineFragment: child, on: parent, depth: depth, &keys)
      default: walk(spread: child, on: parent, depth: depth, &keys)
      }
      child = Int(node.subtreeEnd)
    }
  }

  private mutating func walk(
    field: NodeIndex,
    _ node: Node,
    on parent: Int,
    depth: Int,
    _ keys: inout NameMarks
  ) {
    let definition = parent < 0 ? SchemaIndex.none : index.field(node, bytes: bytes, of: parent)
    selected[field] = Selected(
      parent: Int32(truncatingIfNeeded: parent),
      definition: Int32(truncatingIfNeeded: definition)
    )
    if depth == 1 { definitions[definitions.count - 1].rootFields &+= 1 }

    var child = field &+ 1
    let end = Int(node.subtreeEnd)
    var key = node.nameHash
    if child < end, nodes[child].kind == .alias {
      key = nodes[child].nameHash
      aliasCount &+= 1
      child &+= 1
    }
    keys.insert(key)

    guard definition >= 0 else {
      if parent >= 0 { FieldsOnCorrectType.report(field, on: parent, in: &self) }
      IntrospectionDepthLimit.note(field, in: &self)
      child = walkArguments(of: field, from: child, to: end, .unknown)
      child = walkDirectives(of: field, from: child, to: end, .field)
      if child < end { walk(selectionSet: child, on: SchemaIndex.none, depth: depth &+ 1) }
      return
    }

    let entry = index.fields[definition]
    let type = entry.type.type.index
    let isComposite = index.types[type].isComposite
    let arguments = child
    if child < end {
      child = walkArguments(of: field, from: child, to: end, .field(definition, of: parent))
      child = walkDirectives(of: field, from: child, to: end, .field)
    }
    if isComposite != (child < end) {
      ScalarLeafs.report(field, definition: definition, selectionSet: child, in: &self)
    }
    if isComposite { IntrospectionDepthLimit.note(field, in: &self) }
    if !options.allowsIntrospection && index.types[type].isIntrospection {
      NoSchemaIntrospection.report(field, in: &self)
    }
    if entry.isDeprecated && options.rejectsDeprecated {
      NoDeprecated.report(field: field, definition: definition, of: parent, in: &self)
    }
    if child < end { walk(selectionSet: child, on: isComposite ? type : SchemaIndex.none, depth: depth &+ 1) }
    if entry.requiredArguments > 0 {
      ProvidedRequiredArguments.check(field, from: arguments, to: end, field: definition, in: &self)
    }
  }

  private mutating func walk(inlineFragment node: NodeIndex, on parent: Int, depth: Int, _ keys: inout NameMarks) {
    selected[node].parent = Int32(truncatingIfNeeded: parent)
    var parent = parent
    var child = node + 1
    let end = Int(nodes[node].subtreeEnd)
    if nodes[child].kind == .namedType {
      let type = index.type(nodes[child], bytes: bytes)
      if type < 0 {
        KnownTypeNames.report(child, in: &self)
        parent = SchemaIndex.none
      } else if !index.types[type].isComposite {
        FragmentsOnCompositeTypes.report(node, condition: child, in: &self)
        parent = SchemaIndex.none
      } else {
        if parent >= 0 { PossibleFragmentSpreads.check(inlineFragment: node, of: type, on: parent, in: &self) }
        parent = type
      }
      child += 1
    }
    child = walkDirectives(of: node, from: child, to: end, .inlineFragment)
    walk(selectionsOf: child, on: parent, depth: depth, &keys)
  }

  private mutating func walk(spread node: NodeIndex, on parent: Int, depth: Int, _ keys: inout NameMarks) {
    keys.mayRepeat = true
    let fragment = fragment(named: node)
    selected[node] = Selected(
      parent: Int32(truncatingIfNeeded: parent),
      definition: Int32(truncatingIfNeeded: fragment)
    )
    spreads.append(FragmentSpread(node: node, fragment: fragment, depth: depth))
    if fragment < 0 {
      KnownFragmentNames.report(node, in: &self)
    } else if parent >= 0 {
      PossibleFragmentSpreads.check(spread: node, of: fragments[fragment].type, on: parent, in: &self)
    }
    _ = walkDirectives(of: node, from: node + 1, to: Int(nodes[node].subtreeEnd), .fragmentSpread)
  }
}
