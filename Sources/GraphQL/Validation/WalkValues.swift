/// The walk through arguments, directives and values.
extension Validation {
  /// The owner of arguments, by its index in `SchemaIndex`.
  enum ArgumentOwner {
    case unknown
    case field(Int, of: Int)
    case directive(Int)
  }

  /// Walks the arguments from `first` on, if there are any. Returns the node after them.
  @inline(__always)
  mutating func walkArguments(
    of node: NodeIndex,
    from first: NodeIndex,
    to end: NodeIndex,
    _ owner: ArgumentOwner
  ) -> NodeIndex {
    guard first < end, nodes[first].kind == .argument else { return first }
    return walkSomeArguments(of: node, from: first, to: end, owner)
  }

  private mutating func walkSomeArguments(
    of node: NodeIndex,
    from first: NodeIndex,
    to end: NodeIndex,
    _ owner: ArgumentOwner
  ) -> NodeIndex {
    if mayRepeatNames(.argument, from: first, to: end) {
      UniqueArgumentNames.check(node, from: first, to: end, in: &self)
    }
    var argument = first
    while argument < end, nodes[argument].kind == .argument {
      var inputIndex = SchemaIndex.none
      switch owner {
      case .unknown: break
      case .field(let field, of: let parent):
        inputIndex = index.argument(nodes[argument], bytes: bytes, ofField: field)
        if inputIndex < 0 { KnownArgumentNames.report(argument, ofField: field, on: parent, in: &self) }
      case .directive(let directive):
        inputIndex = index.argument(nodes[argument], bytes: bytes, ofDirective: directive)
        if inputIndex < 0 { KnownArgumentNames.report(argument, ofDirective: directive, at: node, in: &self) }
      }
      if inputIndex >= 0 {
        let input = index.inputs[inputIndex]
        if input.isDeprecated && options.rejectsDeprecated {
          NoDeprecated.report(argument: argument, definition: inputIndex, owner, in: &self)
        }
        walk(value: argument + 1, as: input.type, locationHasDefault: input.hasDefault)
      } else {
        walk(value: argument + 1, as: nil)
      }
      argument = Int(nodes[argument].subtreeEnd)
    }
    return argument
  }

  /// Walks the directives from `first` on, if there are any. Returns the node after them.
  @inline(__always)
  mutating func walkDirectives(
    of node: NodeIndex,
    from first: NodeIndex,
    to end: NodeIndex,
    _ location: DirectiveLocation
  ) -> NodeIndex {
    guard first < end, nodes[first].kind == .directive else { return first }
    return walkSomeDirectives(of: node, from: first, to: end, location)
  }

  private mutating func walkSomeDirectives(
    of node: NodeIndex,
    from first: NodeIndex,
    to end: NodeIndex,
    _ location: DirectiveLocation
  ) -> NodeIndex {
    if mayRepeatNames(.directive, from: first, to: end) {
      UniqueDirectivesPerLocation.check(node, from: first, to: end, in: &self)
    }
    var directive = first
    var count = 0
    while directive < end, nodes[directive].kind == .directive {
      if count == options.limits.directives { DirectiveLimit.report(directive, in: &self) }
      count += 1
      let directiveIndex = index.directive(nodes[directive], bytes: bytes)
      let directiveEnd = Int(nodes[directive].subtreeEnd)
      if directiveIndex < 0 {
        KnownDirectives.report(unknown: directive, in: &self)
        _ = walkArguments(of: directive, from: directive + 1, to: directiveEnd, .unknown)
      } else {
        let entry = index.directives[directiveIndex]
        let isStream = isNamed(directive, name: "stream")
        if isStream || isNamed(directive, name: "defer") {
          incrementalUses.append(IncrementalUse(directive: directive, selection: node, isStream: isStream))
        }
        if entry.locations & location.executableBit == 0 {
          KnownDirectives.report(misplaced: directive, location, in: &self)
        }
        _ = walkArguments(of: directive, from: directive + 1, to: directiveEnd, .directive(directiveIndex))
        if entry.requiredArguments > 0 {
          ProvidedRequiredArguments.check(
            directive,
            from: directive + 1,
            to: directiveEnd,
            directive: directiveIndex,
            in: &self
          )
        }
      }
      directive = directiveEnd
    }
    return directive
  }

  // MARK: Values

  /// - Parameters:
  ///   - type: The expected type, or nil if it is unknown.
  ///   - oneOf: The index of the `@oneOf` input object of which the value is a field, or none.
  ///   - isChecked: False within a value that has been rejected as a whole. Variables in it are still recorded.
  mutating func walk(
    value: NodeIndex,
    as type: TypeReference?,
    locationHasDefault: Bool = false,
    oneOf: Int = SchemaIndex.none,
    isChecked: Bool = true
  ) {
    switch nodes[value].kind {
    case .variable:
      variables.append(
        VariableUsage(node: value, type: type, locationHasDefault: locationHasDefault, oneOf: oneOf)
      )
    case .listValue: walk(list: value, as: type?.nullable, isChecked: isChecked)
    case .objectValue: walk(object: value, as: type, isChecked: isChecked)
    case .nullValue:
      if isChecked, let type, type.isNonNull { ValuesOfCorrectType.report(value, type: type, in: &self) }
    default:
      if isChecked, let type { ValuesOfCorrectType.check(leaf: value, type, in: &self) }
    }
  }

  private mutating func walk(list: NodeIndex, as type: TypeReference?, isChecked: Bool) {
    var item = type
    var isChecked = isChecked
    if let type {
      if type.isList {
        item = type.item
      } else {
        if isChecked { ValuesOfCorrectType.check(leaf: list, type, in: &self) }
        isChecked = false
      }
    }
    var child = list + 1
    let end = Int(nodes[list].subtreeEnd)
    while child < end {
      walk(value: child, as: item, isChecked: isChecked)
      child = Int(nodes[child].subtreeEnd)
    }
  }

  private mutating func walk(object: NodeIndex, as type: TypeReference?, isChecked: Bool) {
    var isChecked = isChecked
    var inputObject = SchemaIndex.none
    if let type {
      if index.types[type.type.index].kind == .inputObject {
        inputObject = type.type.index
        if isChecked { ValuesOfCorrectType.check(object: object, of: inputObject, in: &self) }
      } else {
        if isChecked { ValuesOfCorrectType.check(leaf: object, type, in: &self) }
        isChecked = false
      }
    }
    var field = object + 1
    let end = Int(nodes[object].subtreeEnd)
    if mayRepeatNames(.objectField, from: field, to: end) {
      UniqueInputFieldNames.check(from: field, to: end, in: &self)
    }
    let oneOf = inputObject >= 0 && index.types[inputObject].isOneOf ? inputObject : SchemaIndex.none
    while field < end {
      let inputIndex =
        inputObject < 0 ? SchemaIndex.none : index.inputField(nodes[field], bytes: bytes, of: inputObject)
      if inputIndex >= 0 {
        let input = index.inputs[inputIndex]
        if input.isDeprecated && options.rejectsDeprecated {
          NoDeprecated.report(inputField: field, definition: inputIndex, of: inputObject, in: &self)
        }
        walk(
          value: field + 1,
          as: input.type,
          locationHasDefault: input.hasDefault,
          oneOf: oneOf,
          isChecked: isChecked
        )
      } else {
        if inputObject >= 0 && isChecked { ValuesOfCorrectType.report(undefined: field, of: inputObject, in: &self) }
        walk(value: field + 1, as: nil, isChecked: isChecked)
      }
      field = Int(nodes[field].subtreeEnd)
    }
  }
}
