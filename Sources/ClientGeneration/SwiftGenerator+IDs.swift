import GraphQL

/// The types of ids: one for each object type and interface that has ids, so that the compiler distinguishes them.
extension SwiftGenerator {
  static func idName(of type: TypeDefinition) -> String { SwiftName.type(type.name) + "ID" }

  /// The Swift type of a field without a selection. An id has the type that belongs to its object.
  mutating func leafName(of field: Selection.Field, in selection: Selection) -> String {
    guard isDistinct(field.type.type) else { return name(of: field.type.type) }
    if field.name == "id" { return idName(ofObjects: selection.possibleTypes) }
    return idName(of: schema.ownerOfID(key: field.name))
  }

  /// The Swift type of an argument, a variable or a field of an input object.
  mutating func inputName(of type: TypeID, key: String, in inputObject: TypeDefinition? = nil) -> String {
    isDistinct(type) ? idName(of: schema.ownerOfID(key: key, in: inputObject)) : name(of: type)
  }

  /// The type of the `id` of objects that have one of these types: their own, or that of the interface that consists of
  /// them.
  mutating func idName(ofObjects names: [String]) -> String {
    guard options.scalars["ID"] == nil else { return unknownIDName }
    if names.count == 1 { return idName(of: schema.type(named: names[0])) }
    let objects = Set(names)
    let interface = schema.types.first { type in
      type.kind == .interface && Set(type.possibleTypes.map { schema[$0].name }) == objects
    }
    return idName(of: interface.flatMap { schema.type(named: $0.name) })
  }

  /// An id of one type as that of another one. Either can be plain text.
  func converted(_ id: String, from source: String, to target: String) -> String {
    if source == target { return id }
    return usedIDs[target] == nil ? id + ".rawValue" : "\(target)(\(id))"
  }

  func write(id name: String, of owner: String, to writer: inout SwiftWriter) {
    writer.line("/// The id of an object of type `\(owner)`.")
    writer.block("\(access)nonisolated struct \(name): GraphQLID") { writer in
      writer.line("\(access)let rawValue: String")
      writer.line()
      writer.line("\(access)init(rawValue: String) { self.rawValue = rawValue }")
    }
  }

  /// The type of ids whose owner is not known.
  var unknownIDName: String { options.scalars["ID"] ?? "String" }

  private func isDistinct(_ type: TypeID) -> Bool { schema[type].name == "ID" && options.scalars["ID"] == nil }

  private mutating func idName(of owner: TypeID?) -> String {
    guard let owner, schema.hasID(schema[owner]) else { return unknownIDName }
    let name = Self.idName(of: schema[owner])
    usedIDs[name] = schema[owner].name
    return name
  }
}
