/// An object or interface type satisfies the contracts of the interfaces that it implements (specification, section
/// 3.6, `IsValidImplementation`).
enum InterfacesAreImplemented {
  static func check(_ id: TypeID, in validation: inout TypeValidation) {
    let schema = validation.schema
    let type = schema[id]
    var implemented: Set<TypeID> = []
    for interface in type.interfaces {
      let name = schema[interface].name
      if schema[interface].kind != .interface {
        validation.report(
          "Type \(type.name) must only implement Interface types, it cannot implement \(name).",
          at: .type(type.name)
        )
      } else if interface == id {
        validation.report(
          "Type \(name) cannot implement itself because it would create a circular reference.",
          at: .type(name)
        )
      } else if !implemented.insert(interface).inserted {
        validation.report("Type \(type.name) can only implement \(name) once.", at: .type(type.name))
      } else {
        checkAncestors(of: id, through: schema[interface], in: &validation)
        checkFields(of: type, against: schema[interface], in: &validation)
      }
    }
  }

  private static func checkAncestors(
    of id: TypeID,
    through interface: TypeDefinition,
    in validation: inout TypeValidation
  ) {
    let type = validation.schema[id]
    for ancestor in interface.interfaces where !type.interfaces.contains(ancestor) {
      let name = validation.schema[ancestor].name
      validation.report(
        ancestor == id
          ? "Type \(type.name) cannot implement \(interface.name) because it would create a circular reference."
          : "Type \(type.name) must implement \(name) because it is implemented by \(interface.name).",
        at: .type(interface.name),
        .type(type.name)
      )
    }
  }

  private static func checkFields(
    of type: TypeDefinition,
    against interface: TypeDefinition,
    in validation: inout TypeValidation
  ) {
    let schema = validation.schema
    for promised in interface.fields {
      let promise = SchemaCoordinate.member(type: interface.name, name: promised.name)
      guard let field = type.field(promised.name) else {
        validation.report(
          "Interface field \(promise) expected but \(type.name) does not provide it.",
          at: promise,
          .type(type.name)
        )
        continue
      }
      let coordinate = SchemaCoordinate.member(type: type.name, name: field.name)
      if !schema.isSubtype(field.type, of: promised.type) {
        validation.report(
          "Interface field \(promise) expects type \(schema.name(of: promised.type)) "
            + "but \(coordinate) is type \(schema.name(of: field.type)).",
          at: promise,
          coordinate
        )
      }
      if field.deprecationReason != nil && promised.deprecationReason == nil {
        validation.report(
          "Interface field \(promise) is not deprecated, so implementation field \(coordinate) must not be deprecated.",
          at: promise,
          coordinate
        )
      }
      checkArguments(of: field, on: type, against: promised, from: interface, in: &validation)
    }
  }

  private static func checkArguments(
    of field: FieldDefinition,
    on type: TypeDefinition,
    against promised: FieldDefinition,
    from interface: TypeDefinition,
    in validation: inout TypeValidation
  ) {
    let schema = validation.schema
    for argument in promised.arguments {
      let promise = SchemaCoordinate.argument(type: interface.name, field: promised.name, name: argument.name)
      guard let index = field.argumentNames.index(of: argument.name) else {
        validation.report(
          "Interface field argument \(promise) expected but \(type.name).\(field.name) does not provide it.",
          at: promise,
          .member(type: type.name, name: field.name)
        )
        continue
      }
      // Field types are covariant, but the type of an argument must be exactly that of the interface.
      guard field.arguments[index].type != argument.type else { continue }
      let coordinate = SchemaCoordinate.argument(type: type.name, field: field.name, name: argument.name)
      validation.report(
        "Interface field argument \(promise) expects type \(schema.name(of: argument.type)) "
          + "but \(coordinate) is type \(schema.name(of: field.arguments[index].type)).",
        at: promise,
        coordinate
      )
    }
    for argument in field.arguments
    where argument.isRequired && promised.argumentNames.index(of: argument.name) == nil {
      validation.report(
        "Object field \(type.name).\(field.name) includes required argument \(argument.name) "
          + "that is missing from the Interface field \(interface.name).\(field.name).",
        at: .argument(type: type.name, field: field.name, name: argument.name),
        .member(type: interface.name, name: field.name)
      )
    }
  }
}

extension Schema {
  /// Whether a type is a subtype of another (specification, section 3.6, `IsSubType` and
  /// `IsValidImplementationFieldType`).
  func isSubtype(_ type: TypeReference, of other: TypeReference) -> Bool {
    if type == other { return true }
    if other.isNonNull { return type.isNonNull && isSubtype(type.nullable, of: other.nullable) }
    if type.isNonNull { return isSubtype(type.nullable, of: other) }
    if other.isList { return type.isList && isSubtype(type.item, of: other.item) }
    if type.isList { return false }
    switch self[other.type].kind {
    case .interface: return self[type.type].interfaces.contains(other.type)
    case .union: return self[other.type].possibleTypes.contains(type.type)
    default: return false
    }
  }
}
