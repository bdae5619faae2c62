/// The state of the validation of one type system document: the input of the rules and the errors found.
struct SDLValidation {
  let document: Document
  let builtIn: Document
  /// The definitions of the schema that the document extends, or nil if it extends none.
  let existing: ExistingDefinitions?
  /// The type system definitions and extensions.
  let definitions: [NodeIndex]
  let directiveUses: [DirectiveUse]
  /// The definition of each directive: in the document, else in the existing schema, else built-in.
  let directives: [String: DirectiveSource]
  private var violations: [(offsets: [UInt32], message: String)] = []

  /// The definition of a directive.
  struct DirectiveSource {
    let document: Document
    let node: NodeIndex
  }

  init(_ document: Document, existing: Document?, builtIn: Document) {
    self.document = document
    self.builtIn = builtIn
    self.existing = existing.map { ExistingDefinitions($0, builtIn: builtIn) }
    definitions = document.children(of: 0).filter { !document[$0].kind.isExecutableDefinition }
    directiveUses = DirectiveUse.all(in: document, definitions)
    var directives: [String: DirectiveSource] = [:]
    for source in [builtIn, existing, document].compactMap({ $0 }) {
      for node in source.children(of: 0, .directiveDefinition) {
        directives[source.name(node)] = DirectiveSource(document: source, node: node)
      }
    }
    self.directives = directives
  }

  func definitions(_ kinds: NodeKind...) -> [NodeIndex] { definitions.filter { kinds.contains(document[$0].kind) } }

  var typeDefinitions: [NodeIndex] { definitions.filter { document[$0].kind.isTypeDefinition } }
  var typeExtensions: [NodeIndex] { definitions.filter { document[$0].kind.isTypeExtension } }

  /// The offset of the name of a node.
  func name(at node: NodeIndex) -> UInt32 { document[node].nameStart }
  func start(of node: NodeIndex) -> UInt32 { document[node].start }

  mutating func report(at offsets: UInt32..., message: String) { report(at: offsets, message: message) }

  mutating func report(at offsets: [UInt32], message: String) { violations.append((offsets, message)) }

  /// The errors in the order of the last location of each, which is the invalid one if there are several. Errors at one
  /// location are in the order of the rules.
  func errors() -> [GraphQLError] {
    violations.enumerated()
      .sorted { ($0.element.offsets.last ?? 0, $0.offset) < ($1.element.offsets.last ?? 0, $1.offset) }
      .map { _, violation in
        GraphQLError(
          violation.message,
          at: violation.offsets.map { document.source.location(at: Int($0)) },
          code: .schemaInvalid
        )
      }
  }
}

extension SDLValidation {
  func didYouMean(_ name: String, among names: [String]) -> String {
    Suggestions.didYouMean("", suggestions: Suggestions.list(for: name, among: names))
  }

  /// Groups nodes by name, in the order in which the names first occur.
  func grouped(_ nodes: some Sequence<NodeIndex>) -> [[NodeIndex]] {
    var groups: [[NodeIndex]] = []
    var groupIndices: [String: Int] = [:]
    for node in nodes {
      let name = document.name(node)
      if let index = groupIndices[name] {
        groups[index].append(node)
      } else {
        groupIndices[name] = groups.count
        groups.append([node])
      }
    }
    return groups
  }
}
