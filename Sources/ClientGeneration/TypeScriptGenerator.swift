import GraphQL

/// Generates a TypeScript client in a single file without dependencies: the types of operations, fragments, enums and
/// input objects, the text of each operation, and the client itself.
package struct TypeScriptGenerator {
  let client: ClientDocument
  let options: GenerationOptions
  var schema: Schema { client.schema }
  private let selections: ClientSelections
  /// The selections of fragments, whose types others refer to.
  var fragments: [String: Selection] { selections.selectionsOfFragments }
  /// The enums, input objects and custom scalars in use.
  var usedTypes: Set<TypeID> = []
  var faults: [String]

  /// - Parameter documents: The names and texts of the files with operations and fragments.
  package static func generate(
    schema: String,
    documents: [(name: String, text: String)],
    options: GenerationOptions = GenerationOptions()
  ) throws(GenerationError) -> String {
    let built = try Schema.ofClient(schema, options: options)
    var generator = TypeScriptGenerator(client: try ClientDocument(documents, schema: built), options: options)
    return try generator.file()
  }

  private init(client: ClientDocument, options: GenerationOptions) {
    (self.client, self.options) = (client, options)
    selections = ClientSelections(client)
    faults = selections.faults
  }

  private mutating func file() throws(GenerationError) -> String {
    let documents = SentDocuments(client, setsWithCases: selections.setsWithCases)

    var names: [String] = []
    var body = TypeScriptWriter()
    for (node, selection) in selections.operations {
      names += write(operation: node, selection: selection, documents: documents, to: &body)
    }
    for (fragment, node, selection) in selections.fragments {
      names.append(SwiftName.type(fragment))
      body.comment(client.document.description(of: node).map(text))
      body.line("export type \(SwiftName.type(fragment)) = \(type(of: selection, indented: ""));")
      body.line()
    }
    // The types of an input object's fields are found while it is written.
    var written: Set<TypeID> = []
    while let type = usedTypes.subtracting(written).min(by: { $0.index < $1.index }) {
      written.insert(type)
      names.append(Self.typeName(of: schema[type]))
      write(schema[type], to: &body)
    }
    report(names)
    writeOwnDocuments(to: &body)
    guard faults.isEmpty else { throw GenerationError(messages: faults.uniqued()) }
    let head = "\(GeneratedFile.mark) typescript`. What is changed here is lost.\n/* eslint-disable */\n\n"
    return head + body.text + ClientSources.typescript
  }

  /// Reports the names that would be declared twice.
  private mutating func report(_ names: [String]) {
    for (name, same) in Dictionary(grouping: names, by: \.self).sorted(by: { $0.key < $1.key }) {
      if same.count > 1 {
        faults.append("\(same.count) of the generated types would be named \(name): rename an operation or a fragment.")
      } else if Self.takenNames.contains(name) {
        faults.append("The name \(name) is taken by the client or by TypeScript: rename the operation or the fragment.")
      }
    }
  }

  func text(_ node: NodeIndex) -> String { client.document.stringValue(of: node) }

  // MARK: Types

  /// The TypeScript type of a named type that is a leaf or an input object.
  mutating func name(of type: TypeID) -> String {
    let definition = schema[type]
    if definition.kind == .scalar {
      guard let scalar = options.typescriptScalars[definition.name] else {
        if definition.name == "ID" { return "ID" }
        faults.append(
          "The scalar \(definition.name) has no TypeScript type: specify one with `--scalar \(definition.name)=type`."
        )
        return "never"
      }
      // The scalars of the specification need no name of their own.
      if BuiltInDefinitions.scalars.contains(definition.name) { return scalar }
    }
    usedTypes.insert(type)
    return Self.typeName(of: definition)
  }

  /// The name of an enum, input object or scalar. A client cannot rename those of a schema, so a taken one is changed.
  static func typeName(of definition: TypeDefinition) -> String {
    let name = SwiftName.type(definition.name)
    return takenNames.contains(name) ? name + "Type" : name
  }

  /// A type with its wrappers. Nullable types include null.
  func wrapped(_ reference: TypeReference, named name: String) -> String {
    wrappedNonNull(reference, named: name) + (reference.isNonNull ? "" : " | null")
  }

  func wrappedNonNull(_ reference: TypeReference, named name: String) -> String {
    guard reference.isList else { return name }
    let item = wrapped(reference.item, named: name)
    return item.contains(" ") ? "Array<\(item)>" : item + "[]"
  }

  /// The names that a generated type must not have: those of the client, and the types that generated types use.
  private static let takenNames: Set<String> = [
    "AbortController", "AbortSignal", "Arguments", "Array", "AsyncGenerator", "Blob", "ClientOptions", "Credentials",
    "DataOf", "Error", "EventParser", "FormData", "Generator", "GraphQLError", "GraphQLResponse", "HearthClient",
    "HearthError", "HearthErrorReason", "ID", "JSON", "Line", "LiveEvent", "Math", "MutationOptions", "Number",
    "Object", "Open", "Partial", "Payload", "Promise", "Record", "RenewalListener", "RequestOptions", "Response",
    "ReturnType", "ServerSentEvent", "Set", "SocketMessage", "SocketSession", "String", "SubscriptionOptions",
    "TextDecoder", "TypeError", "TypedDocument", "URL", "Uint8Array", "VariablesOf", "WebSocket",
  ]
}
