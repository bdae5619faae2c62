/// Creates the nodes of a document from the tokens of a source (specification, sections 2 and 3), by recursive descent.
/// There is a method for each production of the grammar, with the production as a comment.
///
/// Parsing allocates only the nodes. A dashboard query of 399 bytes and 60 nodes takes 1.1 µs, half of it in the lexer.
package struct Parser: ~Copyable {
  private var lexer: Lexer
  /// The end of the last consumed token.
  private var consumedEnd: UInt32 = 0
  var nodes: NodeBuffer
  private var depth = 0
  private var tokensLeft: Int
  private let options: ParseOptions

  private init(_ bytes: UnsafeBufferPointer<UInt8>, options: ParseOptions) {
    lexer = Lexer(bytes)
    self.options = options
    tokensLeft = options.tokens
    // Queries have a node for every six or seven bytes. For documents larger than usual, growing the buffer is cheaper
    // than reserving capacity for text that may be comments.
    nodes = NodeBuffer(capacity: min(bytes.count / 6 + 8, 4096))
  }
}

// MARK: Entry points

extension Parser {
  /// Parses a document.
  ///
  /// Fails with `GRAPHQL_PARSE_FAILED`, `DOCUMENT_TOO_LARGE`, `TOO_MANY_TOKENS` or `NESTING_TOO_DEEP`. The messages and
  /// locations of syntax errors are those of graphql-js.
  package static func parse(_ source: Source, options: ParseOptions = ParseOptions()) throws(GraphQLError) -> Document {
    try run(source, options: options) { (parser) throws(SyntaxError) in try parser.definitions() }
  }

  /// Parses a single value. Node 1 of the document is the value.
  /// - Parameter constant: Whether variables are rejected.
  package static func parseValue(
    _ source: Source,
    constant: Bool = false
  ) throws(GraphQLError) -> Document {
    try run(source, options: ParseOptions()) { (parser) throws(SyntaxError) in
      try parser.value(constant: constant)
      try parser.expect(.endOfFile)
    }
  }

  @inline(__always)
  private static func run(
    _ source: Source,
    options: ParseOptions,
    _ production: (inout Parser) throws(SyntaxError) -> Void
  ) throws(GraphQLError) -> Document {
    guard source.bytes.count <= options.documentBytes else {
      throw GraphQLError(
        "Syntax Error: Document is larger than \(options.documentBytes) bytes. Parsing aborted.",
        code: .documentTooLarge
      )
    }
    do throws(SyntaxError) {
      let nodes = try source.bytes.withUnsafeBufferPointer { (bytes) throws(SyntaxError) in
        var parser = Parser(bytes, options: options)
        let document = parser.open(.document)
        try parser.advance()
        try production(&parser)
        parser.nodes[document].end = UInt32(truncatingIfNeeded: bytes.count)
        parser.nodes[document].subtreeEnd = UInt32(truncatingIfNeeded: parser.nodes.count)
        return parser.nodes.array()
      }
      return Document(source: source, nodes: nodes)
    } catch {
      throw error.graphQLError(in: source)
    }
  }

  // Document : Definition+
  private mutating func definitions() throws(SyntaxError) {
    repeat { try definition() } while token.kind != .endOfFile
  }
}

// MARK: Tokens

extension Parser {
  /// The current token, which has not been consumed.
  var token: Token {
    @inline(__always)
    get { lexer.token }
  }

  /// Consumes the token and reads the next one.
  @inline(__always)
  mutating func advance() throws(SyntaxError) {
    consumedEnd = token.end
    try lexer.advance()
    if token.kind != .endOfFile {
      tokensLeft &-= 1
      if tokensLeft < 0 { throw tooManyTokens() }
    }
  }

  /// Consumes the token if it has this kind.
  @inline(__always)
  mutating func skip(_ kind: TokenKind) throws(SyntaxError) -> Bool {
    guard token.kind == kind else { return false }
    try advance()
    return true
  }

  @inline(__always)
  mutating func expect(_ kind: TokenKind) throws(SyntaxError) {
    guard token.kind == kind else { throw expected(kind) }
    try advance()
  }

  /// Consumes a name and returns its token, for `setName`.
  @inline(__always)
  mutating func expectName() throws(SyntaxError) -> Token {
    let name = token
    try expect(.name)
    return name
  }

  mutating func skipKeyword(_ keyword: StaticString) throws(SyntaxError) -> Bool {
    guard isKeyword(keyword, token: token) else { return false }
    try advance()
    return true
  }

  mutating func expectKeyword(_ keyword: StaticString) throws(SyntaxError) {
    guard try skipKeyword(keyword) else {
      throw SyntaxError("Expected \"\(keyword)\", found \(describe(token)).", at: token.start)
    }
  }

  /// Whether a token is a name equal to a keyword.
  @inline(__always)
  func isKeyword(_ keyword: StaticString, token: Token) -> Bool {
    let length = keyword.utf8CodeUnitCount
    guard token.kind == .name, Int(token.end &- token.start) == length else { return false }
    for offset in 0..<length where lexer.bytes[Int(token.start) &+ offset] != keyword.utf8Start[offset] {
      return false
    }
    return true
  }
}

// MARK: Nodes

extension Parser {
  /// Starts a node at the current token. The nodes that follow until `close` are its descendants.
  @inline(__always)
  mutating func open(_ kind: NodeKind) -> NodeIndex {
    nodes.append(Node(kind: kind, start: token.start))
    return nodes.count &- 1
  }

  /// Ends a node with the last consumed token.
  @inline(__always)
  mutating func close(_ index: NodeIndex) {
    nodes[index].end = consumedEnd
    nodes[index].subtreeEnd = UInt32(truncatingIfNeeded: nodes.count)
  }

  @inline(__always)
  mutating func setName(_ index: NodeIndex, name: Token) {
    nodes[index].nameStart = name.start
    nodes[index].nameLength = name.end &- name.start
    nodes[index].nameHash = name.nameHash
  }

  /// Appends a node that consists of one token and has no children.
  @inline(__always)
  mutating func appendLeaf(_ kind: NodeKind, token: Token, flags: NodeFlags = [], named: Bool = false) {
    nodes.append(
      Node(
        kind: kind,
        flags: flags,
        start: token.start,
        end: token.end,
        nameStart: named ? token.start : 0,
        nameLength: named ? token.end &- token.start : 0,
        nameHash: token.nameHash,
        subtreeEnd: UInt32(truncatingIfNeeded: nodes.count &+ 1)
      )
    )
  }

  /// Enters a construct that can be nested: a selection set, a list or an object.
  @inline(__always)
  mutating func descend() throws(SyntaxError) {
    depth &+= 1
    if depth > options.depth { throw nestingTooDeep() }
  }

  @inline(__always)
  mutating func ascend() { depth &-= 1 }
}

// MARK: Errors

extension Parser {
  @inline(never)
  private func expected(_ kind: TokenKind) -> SyntaxError {
    SyntaxError("Expected \(kind.text), found \(describe(token)).", at: token.start)
  }

  @inline(never)
  func unexpected(_ token: Token) -> SyntaxError {
    SyntaxError("Unexpected \(describe(token)).", at: token.start)
  }

  @inline(never)
  private func tooManyTokens() -> SyntaxError {
    SyntaxError(
      "Document contains more than \(options.tokens) tokens. Parsing aborted.",
      at: token.start,
      cause: .tooManyTokens
    )
  }

  @inline(never)
  private func nestingTooDeep() -> SyntaxError {
    SyntaxError(
      "Document is nested deeper than \(options.depth) levels. Parsing aborted.",
      at: token.start,
      cause: .nestingTooDeep
    )
  }

  /// A token as shown in messages: its kind, and its value if it has one.
  func describe(_ token: Token) -> String {
    token.kind.hasValue ? "\(token.kind.text) \"\(excerpt(token))\"" : token.kind.text
  }

  /// The value of a token, shortened to bound the length of messages.
  func excerpt(_ token: Token) -> String {
    var value = lexer.excerpt(from: Int(token.start), to: Int(token.end))
    if token.isString { value = StringValue.decode(Substring(value), flags: token.flags) }
    return value.shortened(to: 100)
  }
}
