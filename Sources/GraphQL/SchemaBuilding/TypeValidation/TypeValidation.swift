/// The validation of a schema's types, after the schema has been built (the subsections "Type Validation" of section 3
/// of the specification). The messages are those of graphql-js.
struct TypeValidation {
  let schema: Schema
  let roots: RootOperationTypes
  private var faults: [(message: String, sites: [DefinitionSite])] = []

  init(_ schema: Schema, roots: RootOperationTypes) {
    self.schema = schema
    self.roots = roots
  }

  /// Checks everything except values, which can be checked only after the default values in them are coerced.
  mutating func checkTypes() {
    RootOperationTypesAreObjects.check(&self)
    DirectiveDefinitionsAreValid.check(&self)
    for (index, type) in schema.types.enumerated() {
      let id = TypeID(index)
      if !schema.isIntrospection(id) { checkName(type.name, at: .type(type.name)) }
      switch type.kind {
      case .scalar: break
      case .object, .interface:
        FieldsAreOutput.check(id, in: &self)
        InterfacesAreImplemented.check(id, in: &self)
      case .union: UnionMembersAreObjects.check(id, in: &self)
      case .enum: EnumsHaveValues.check(id, in: &self)
      case .inputObject: InputFieldsAreInput.check(id, in: &self)
      }
    }
    InputObjectsAreFinite.check(&self)
    OneOfInputObjectsAreInhabited.check(&self)
    DirectivesDoNotReferToThemselves.check(&self)
  }

  mutating func report(_ message: String, at coordinates: SchemaCoordinate...) {
    report(message, at: coordinates.map { .element($0) })
  }

  mutating func report(_ message: String, at sites: [DefinitionSite]) { faults.append((message, sites)) }

  /// Checks that a name does not begin with two underscores, which are reserved for introspection (section 4).
  mutating func checkName(_ name: String, at coordinate: SchemaCoordinate) {
    guard name.hasPrefix("__") else { return }
    report("Name \"\(name)\" must not begin with \"__\", which is reserved by GraphQL introspection.", at: coordinate)
  }

  /// Checks an argument of a field or directive.
  mutating func checkArgument(_ argument: InputValueDefinition, at coordinate: SchemaCoordinate) {
    checkInput(argument, called: "argument", at: coordinate)
  }

  /// Checks an argument or an input field.
  mutating func checkInput(_ input: InputValueDefinition, called kind: String, at coordinate: SchemaCoordinate) {
    checkName(input.name, at: coordinate)
    if !schema[input.type.type].isInput {
      report("The type of \(coordinate) must be Input Type but got: \(schema.name(of: input.type)).", at: coordinate)
    }
    if input.isRequired && input.deprecationReason != nil {
      report("Required \(kind) \(coordinate) cannot be deprecated.", at: coordinate)
    }
  }

  func errors(in document: Document) -> [GraphQLError] {
    guard !faults.isEmpty else { return [] }
    let offsets = DefinitionSite.offsets(in: document)
    return faults.map { message, sites in
      let locations = sites.compactMap { offsets[$0] }.map { document.source.location(at: Int($0)) }
      return GraphQLError(message, at: locations, code: .schemaInvalid)
    }
  }
}

extension Schema {
  /// Whether a type is an introspection type, which a document cannot define.
  func isIntrospection(_ type: TypeID) -> Bool {
    BuiltInDefinitions.introspectionTypes.contains(types[type.index].name)
  }
}
