import GraphQL

/// Generates a Swift client: a type for each operation, for each fragment, and for each enum and input object that they
/// use.
package struct SwiftGenerator {
  let client: ClientDocument
  let options: GenerationOptions
  var schema: Schema { client.schema }
  var access: String { options.access == .public ? "public " : "" }
  /// The top-level names of the generated client, which nested types must not use.
  let takenNames: Set<String>
  private let selections: ClientSelections
  /// The selections of fragments.
  var fragments: [String: Selection] { selections.selectionsOfFragments }
  /// The enums and input objects in use.
  var usedTypes: Set<TypeID> = []
  /// The types of ids in use, each with the name of the type in the schema.
  var usedIDs: [String: String] = [:]
  var faults: [String]

  /// - Parameter documents: The names and texts of the files with operations and fragments.
  package static func generate(
    schema: String,
    documents: [(name: String, text: String)],
    options: GenerationOptions = GenerationOptions()
  ) throws(GenerationError) -> [GeneratedFile] {
    let built = try Schema.ofClient(schema, options: options)
    var generator = SwiftGenerator(try ClientDocument(documents, schema: built), options: options)
    return try generator.files()
  }

  private init(_ client: ClientDocument, options: GenerationOptions) {
    self.client = client
    self.options = options
    selections = ClientSelections(client)
    faults = selections.faults
    var names = SwiftName.takenTypes
    names.formUnion(options.scalars.values)
    names.formUnion(client.fragments.keys.map { SwiftName.type($0) })
    names.formUnion(client.operations.map { Self.name(of: $0, in: client.document) })
    for type in client.schema.types where type.kind == .enum || type.kind == .inputObject {
      names.insert(Self.typeName(of: type, with: options))
    }
    for type in client.schema.types where client.schema.hasID(type) { names.insert(Self.idName(of: type)) }
    takenNames = names
  }

  /// An operation or a fragment, with the name of its type.
  private typealias Definition = (name: String, node: NodeIndex, selection: Selection)

  private mutating func files() throws(GenerationError) -> [GeneratedFile] {
    let definitions = definitions()
    for definition in definitions where Self.isReserved(definition.name, with: options) {
      faults.append(
        "The name \(definition.name) is taken by the client or by Swift: rename the operation or the fragment."
      )
    }
    let documents = SentDocuments(client, setsWithCases: selections.setsWithCases)
    var files: [GeneratedFile] = []
    for definition in definitions { files.append(file(of: definition, documents)) }
    files += filesOfTypes()
    for (name, owner) in usedIDs {
      var writer = begin()
      write(id: name, of: owner, to: &writer)
      files.append(GeneratedFile(name: name + ".swift", text: writer.text))
    }
    let names = Dictionary(grouping: files, by: \.name)
    for (name, same) in names.sorted(by: { $0.key < $1.key }) where same.count > 1 {
      faults.append(
        "\(same.count) of the generated types would be written to \(name): rename an operation or a fragment."
      )
    }
    guard faults.isEmpty else { throw GenerationError(messages: faults.uniqued()) }
    return files.sorted { $0.name < $1.name }
  }

  private func definitions() -> [Definition] {
    let operations = selections.operations.map { operation -> Definition in
      (Self.name(of: operation.node, in: client.document), operation.node, operation.selection)
    }
    let fragments = selections.fragments.map { fragment -> Definition in
      (SwiftName.type(fragment.name), fragment.node, fragment.selection)
    }
    return operations + fragments
  }

  private mutating func file(of definition: Definition, _ documents: SentDocuments) -> GeneratedFile {
    var writer = begin()
    if client.document[definition.node].kind == .operationDefinition {
      write(
        operation: definition.node,
        name: definition.name,
        selection: definition.selection,
        documents: documents,
        to: &writer
      )
    } else {
      write(definition.selection, named: definition.name, description: nil, to: &writer)
    }
    return GeneratedFile(name: definition.name + ".swift", text: writer.text)
  }

  /// The files of the enums and input objects in use.
  private mutating func filesOfTypes() -> [GeneratedFile] {
    var files: [GeneratedFile] = []
    // The types of an input object's fields are found while it is written.
    var written: Set<TypeID> = []
    while let type = usedTypes.subtracting(written).min(by: { $0.index < $1.index }) {
      written.insert(type)
      var writer = begin()
      let definition = schema[type]
      if definition.kind == .enum {
        write(enum: definition, to: &writer)
      } else if definition.isOneOf {
        write(oneOf: definition, to: &writer)
      } else {
        write(inputObject: definition, to: &writer)
      }
      files.append(GeneratedFile(name: typeName(of: definition) + ".swift", text: writer.text))
    }
    return files
  }

  private func begin() -> SwiftWriter {
    var writer = SwiftWriter()
    writer.line("\(GeneratedFile.mark) swift`. What is changed here is lost.")
    writer.line("import Foundation")
    writer.line("import \(options.runtime)")
    writer.line()
    return writer
  }

  /// `SignIn` of `mutation SignIn` is `SignInMutation`.
  static func name(of operation: NodeIndex, in document: Document) -> String {
    let name = SwiftName.type(document.name(operation))
    let suffix = SwiftName.capitalised(OperationType(document[operation].flags).rawValue)
    return name.hasSuffix(suffix) ? name : name + suffix
  }

  // MARK: Types

  /// The name of an enum or input object. A client cannot rename those of a schema, so a reserved one is changed.
  private static func typeName(of definition: TypeDefinition, with options: GenerationOptions) -> String {
    let name = SwiftName.type(definition.name)
    return isReserved(name, with: options) ? name + "Type" : name
  }

  func typeName(of definition: TypeDefinition) -> String { Self.typeName(of: definition, with: options) }

  private static func isReserved(_ name: String, with options: GenerationOptions) -> Bool {
    SwiftName.reservedTypes.contains(name) || options.scalars.values.contains(name)
  }

  /// The Swift type of a named type that is a leaf or an input object.
  mutating func name(of type: TypeID) -> String {
    let definition = schema[type]
    guard definition.kind == .scalar else {
      usedTypes.insert(type)
      return typeName(of: definition)
    }
    if let scalar = options.scalars[definition.name] { return scalar }
    if definition.name == "ID" { return unknownIDName }
    faults.append(
      "The scalar \(definition.name) has no Swift type: specify one with `--scalar \(definition.name)=Type`."
    )
    return "Never"
  }

  /// A type with its wrappers. Nullable types become optionals.
  func wrapped(_ reference: TypeReference, named name: String) -> String {
    if reference.isNonNull { return wrappedNonNull(reference, named: name) }
    return wrappedNonNull(reference, named: name) + "?"
  }

  func wrappedNonNull(_ reference: TypeReference, named name: String) -> String {
    reference.isList ? "[" + wrapped(reference.item, named: name) + "]" : name
  }
}

extension Array where Element: Hashable {
  func uniqued() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
