import GraphQL

extension SwiftGenerator {
  /// A property of a type that is decoded from a response.
  private struct Property {
    let key: String
    let name: String
    let description: String?
    let type: String
    let isOptional: Bool
    let nested: (name: String, selection: Selection)?
  }

  mutating func write(
    _ selection: Selection,
    named name: String,
    description: String?,
    to writer: inout SwiftWriter
  ) {
    if selection.cases.isEmpty {
      write(object: selection, named: name, description: description, to: &writer)
    } else {
      write(cases: selection, named: name, description: description, to: &writer)
    }
  }

  private mutating func properties(of selection: Selection) -> [Property] {
    var properties: [Property] = []
    for field in selection.fields {
      let typeName: String
      var nested: (name: String, selection: Selection)?
      if let selection = field.selection {
        // One of the `children` is a `Child`.
        let name = SwiftName.type(field.type.isList ? SwiftName.singular(field.key) : field.key)
        typeName = nestedName(name, besides: properties.compactMap(\.nested?.name))
        nested = (typeName, selection)
      } else {
        typeName = leafName(of: field, in: selection)
      }
      properties.append(
        Property(
          key: field.key,
          name: SwiftName.property(field.key),
          description: field.description,
          type: wrappedNonNull(field.type, named: typeName) + (field.isOptional ? "?" : ""),
          isOptional: field.isOptional,
          nested: nested
        )
      )
    }
    return properties
  }

  private func nestedName(_ name: String, besides others: [String] = []) -> String {
    var name = takenNames.contains(name) || name.isEmpty ? name + "Selection" : name
    while others.contains(name) { name += "_" }
    return name
  }

  private mutating func write(
    object selection: Selection,
    named name: String,
    description: String?,
    to writer: inout SwiftWriter
  ) {
    let identity = identity(of: selection)
    let properties = properties(of: selection)
    let keys = Set(properties.map(\.name))
    let id = identityOfFragment(identity, in: selection)
    let fragments = selection.fragments.map { fragment in
      let property = SwiftName.property(SwiftName.uncapitalised(SwiftName.type(fragment)))
      return (type: SwiftName.type(fragment), property: keys.contains(property) ? property + "Fragment" : property)
    }
    writer.comment(description)
    writer.block("\(access)nonisolated struct \(name): \(Self.conformances(identity))") { writer in
      for property in properties {
        writer.comment(property.description)
        writer.line("\(access)let \(SwiftName.escaped(property.name)): \(property.type)")
      }
      for fragment in fragments {
        writer.line("\(access)let \(SwiftName.escaped(fragment.property)): \(fragment.type)")
      }
      if let id, let spread = fragments.first(where: { $0.type == id.fragment }) {
        writer.line()
        let value = converted(SwiftName.escaped(spread.property) + ".id", from: id.fragmentType, to: id.type)
        writer.line("\(access)var id: \(id.type) { \(value) }")
      }
      writer.line()
      writeInitialiser(properties, fragments: fragments, to: &writer)
      if properties.contains(where: { $0.name != $0.key }) || !fragments.isEmpty && !properties.isEmpty {
        writer.line()
        writer.block("private nonisolated enum CodingKeys: String, CodingKey") { writer in
          for property in properties {
            let key = property.name == property.key ? "" : " = " + literal(property.key)
            writer.line("case " + SwiftName.escaped(property.name) + key)
          }
        }
      }
      if !fragments.isEmpty { writeDecoding(properties, fragments: fragments, to: &writer) }
      for property in properties {
        guard let nested = property.nested else { continue }
        writer.line()
        write(nested.selection, named: nested.name, description: nil, to: &writer)
      }
    }
  }

  /// The memberwise initializer, for previews and tests.
  private func writeInitialiser(
    _ properties: [Property],
    fragments: [(type: String, property: String)],
    to writer: inout SwiftWriter
  ) {
    let arguments =
      properties.map { argument(named: $0.name, type: $0.type, default: $0.isOptional ? "nil" : nil) }
      + fragments.map { argument(named: $0.property, type: $0.type, default: nil) }
    writer.arguments(of: "\(access)init", arguments) { writer in
      for name in properties.map(\.name) + fragments.map(\.property) {
        writer.line("self.\(name) = \(SwiftName.escaped(name))")
      }
    }
  }

  /// Fragments are decoded from the same object as the fields next to them.
  private func writeDecoding(
    _ properties: [Property],
    fragments: [(type: String, property: String)],
    to writer: inout SwiftWriter
  ) {
    writer.line()
    writer.block("\(access)init(from decoder: any Decoder) throws") { writer in
      if !properties.isEmpty { writer.line("let container = try decoder.container(keyedBy: CodingKeys.self)") }
      for property in properties {
        let type = property.isOptional ? String(property.type.dropLast()) : property.type
        let method = property.isOptional ? "decodeIfPresent" : "decode"
        writer.line("self.\(property.name) = try container.\(method)(\(type).self, forKey: .\(property.name))")
      }
      for fragment in fragments { writer.line("self.\(fragment.property) = try \(fragment.type)(from: decoder)") }
    }
  }

  private mutating func write(
    cases selection: Selection,
    named name: String,
    description: String?,
    to writer: inout SwiftWriter
  ) {
    let cases = selection.cases.map { each in
      let typeName = SwiftName.type(each.typeName)
      let property = SwiftName.property(SwiftName.uncapitalised(typeName))
      return (each, type: nestedName(typeName, besides: ["Other"]), property: property == "other" ? "other_" : property)
    }
    var other = selection
    other.cases = []
    writer.comment(description)
    let identity = identity(of: selection)
    let common = commonProperties(
      of: selection,
      identity,
      in: cases.map { (name: $0.property, selection: $0.0.selection) } + [(name: "other", selection: other)]
    )
    writer.block("\(access)nonisolated enum \(name): \(Self.conformances(identity))") { writer in
      for each in cases { writer.line("case \(SwiftName.escaped(each.property))(\(each.type))") }
      writer.comment(
        "An object of another type, possibly one that was added to the schema after this client was generated."
      )
      writer.line("case other(Other)")
      writer.line()
      writer.block("\(access)init(from decoder: any Decoder) throws") { writer in
        writer.block("switch try GraphQLTypeName(from: decoder).name") { writer in
          for each in cases {
            writer.line("case \(literal(each.0.typeName)): self = .\(each.property)(try \(each.type)(from: decoder))")
          }
          writer.line("default: self = .other(try Other(from: decoder))")
        }
      }
      for property in common { write(property, to: &writer) }
      for each in cases {
        writer.line()
        write(object: each.0.selection, named: each.type, description: nil, to: &writer)
      }
      writer.line()
      write(object: other, named: "Other", description: nil, to: &writer)
    }
  }

  /// A property of an enum that all of its cases have. `values` has its expression in each case.
  private struct CommonProperty {
    let name: String
    let description: String?
    let type: String
    let values: [(name: String, value: String)]
  }

  private func write(_ property: CommonProperty, to writer: inout SwiftWriter) {
    writer.line()
    writer.comment(property.description)
    writer.block("\(access)var \(SwiftName.escaped(property.name)): \(property.type)") { writer in
      writer.block("switch self") { writer in
        for (name, value) in property.values { writer.line("case .\(name)(let object): \(value)") }
      }
    }
  }

  /// The fields that all cases have in common, and the id if it is that of a fragment.
  private mutating func commonProperties(
    of selection: Selection,
    _ identity: Identity?,
    in cases: [(name: String, selection: Selection)]
  ) -> [CommonProperty] {
    // A property cannot have the name of a case.
    let taken = Set(cases.map(\.name))
    var properties: [CommonProperty] = []
    if case .fragment = identity {
      let type = idName(ofObjects: selection.possibleTypes)
      var values: [(name: String, value: String)] = []
      for each in cases {
        let own = idName(ofObjects: each.selection.possibleTypes)
        values.append((each.name, converted("object.id", from: own, to: type)))
      }
      properties.append(CommonProperty(name: "id", description: nil, type: type, values: values))
    }
    for field in selection.fields where field.selection == nil {
      let name = leafName(of: field, in: selection)
      let property = SwiftName.property(field.key)
      var values: [(name: String, value: String)] = []
      for each in cases {
        // A case can select a field always that the others select by a condition.
        let ownField = each.selection.fields.first { $0.key == field.key } ?? field
        let own = leafName(of: ownField, in: each.selection)
        let value = "object.\(property)"
        values.append(
          (
            each.name,
            own == name || !ownField.isOptional
              ? converted(value, from: own, to: name)
              : "\(value).map { \(converted("$0", from: own, to: name)) }"
          )
        )
      }
      let type = wrappedNonNull(field.type, named: name) + (field.isOptional ? "?" : "")
      properties.append(
        CommonProperty(
          name: taken.contains(property) ? property + "_" : property,
          description: field.description,
          type: type,
          values: values
        )
      )
    }
    return properties
  }
}
