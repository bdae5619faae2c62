/// The validation of one type system document: what the rules know and what they have found.
struct SDLValidation {
  let document: Document
  let builtIn: Document
  /// What the document extends; nil where it is a schema of its own.
  let existing: ExistingDefinitions?
  /// The definitions and extensions of the type system.
  let definitions: [NodeIndex]
  let directiveUses: [DirectiveUse]
  /// Each directive that may be used: the document's own, or else the existing schema's, or else the built-in.
  let directives: [String: DirectiveSource]
  private var violations: [(offsets: [UInt32], message: String)] = []

  /// Where a directive is defined.
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

  /// Where the name of a node begins.
  func name(at node: NodeIndex) -> UInt32 { document[node].nameStart }
  func start(of node: NodeIndex) -> UInt32 { document[node].start }

  mutating func report(at offsets: UInt32..., message: String) { report(at: offsets, message: message) }

  mutating func report(at offsets: [UInt32], message: String) { violations.append((offsets, message)) }

  /// By the last place of each, which is the one at fault where there are several; at one place in the order of rules.
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
    Suggestions.didYouMean("", Suggestions.list(for: name, among: names))
  }

  /// Groups nodes by their names, in the order met.
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
