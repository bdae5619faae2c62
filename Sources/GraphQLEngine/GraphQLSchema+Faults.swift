import GraphQL

extension GraphQLSchema {
  /// What contradicts the schema, or another registration: a sentence for each fault. Fields without resolvers and
  /// resolvers without fields are found by `ExecutableSchema`.
  func faults(in schema: Schema) -> [String] {
    repeatedObjectTypes + rootTypes(in: schema) + scalarFaults(in: schema) + enumFaults(in: schema)
      + abstractTypeFaults(in: schema) + sharedObjectTypes(in: schema) + fieldFaults(in: schema)
  }

  private var repeatedObjectTypes: [String] {
    swiftTypes.sorted { $0.key < $1.key }.filter { $0.value.count > 1 }.map { name, types in
      "\(name) is registered with \(Self.list(types.map { "\($0)" })): an object type has one Swift type."
    }
  }

  private func rootTypes(in schema: Schema) -> [String] {
    let roots: [(TypeID?, String)] = [
      (schema.queryType, "query"), (schema.mutationType, "mutation"), (schema.subscriptionType, "subscription"),
    ]
    return roots.compactMap { type, method in
      guard let name = type.map({ schema[$0].name }), swiftTypes[name] != nil else { return nil }
      return "\(name) is the \(method) type, which has no Swift type: resolve its fields with `\(method)`."
    }
  }

  private func scalarFaults(in schema: Schema) -> [String] {
    var faults: [String] = []
    var typesByName: [String: [any Sendable.Type]] = [:]
    var namesByType: [ObjectIdentifier: [String]] = [:]
    for (name, type) in scalars.registered {
      typesByName[name, default: []].append(type)
      // Files are not read by the name of their scalar.
      if type != Upload.self { namesByType[ObjectIdentifier(type), default: []].append(name) }
    }
    for (name, type, _) in scalars.represented { namesByType[ObjectIdentifier(type), default: []].append(name) }
    for (name, types) in typesByName.sorted(by: { $0.key < $1.key }) {
      if BuiltInDefinitions.scalars.contains(name) {
        faults.append("\(name) is a built-in scalar: use `represent`, or declare a scalar of your own.")
      } else if schema.type(named: name).map({ schema[$0].kind != .scalar }) ?? true {
        faults.append("\(name) is registered as a scalar, but the schema has no scalar of that name.")
      }
      if types.count > 1 {
        faults.append("\(name) is registered with \(Self.list(types.map { "\($0)" })): a scalar has one Swift type.")
      }
    }
    let pairs = scalars.registered + scalars.represented.map { ($0.name, $0.type) }
    for (name, type) in pairs.sorted(by: { $0.name < $1.name }) {
      guard let names = namesByType[ObjectIdentifier(type)], names.count > 1, names.min() == name else { continue }
      faults.append("\(type) is the Swift type of the scalars \(Self.list(names.sorted())): a type represents one.")
    }
    return faults + scalars.representationFaults
  }

  /// The Swift type of a value determines its object type where a field's type is an interface or a union.
  private func sharedObjectTypes(in schema: Schema) -> [String] {
    var checked: Set<TypeID> = []
    var faults: [String] = []
    for field in schema.types.lazy.filter({ $0.kind == .object }).flatMap(\.fields) {
      let type = schema[field.type.type]
      guard type.isAbstract, checked.insert(field.type.type).inserted else { continue }
      var names: [ObjectIdentifier: String] = [:]
      for possible in type.possibleTypes {
        let name = schema[possible].name
        guard let swiftType = swiftTypes[name]?.last else { continue }
        let isShared = abstractTypes[type.name]?.contains { $0.isShared && $0.swiftType == swiftType } ?? false
        if isShared { continue }
        guard let other = names.updateValue(name, forKey: ObjectIdentifier(swiftType)) else { continue }
        faults.append(
          """
          \(swiftType) is the Swift type of \(other) and \(name), which are both object types of \(type.name): give \
          them different Swift types, or name the type of each value by abstractType(_:_:typeName:).
          """
        )
      }
    }
    return faults
  }

  private static func list(_ names: [String]) -> String { names.joined(separator: " and ") }
}
