import GraphQL

/// The documents of a client, parsed and validated as one document, so that files can share fragments.
struct ClientDocument {
  let document: Document
  let schema: Schema
  let operations: [NodeIndex]
  let fragments: [String: NodeIndex]
  private let files: JoinedFiles

  init(_ files: [(name: String, text: String)], schema: Schema) throws(GenerationError) {
    let joined = JoinedFiles(try Self.withoutRepeatedFragments(files))
    do {
      document = try Parser.parse(Source(joined.text), options: .trusted)
    } catch {
      throw GenerationError(messages: [Self.describe(error, joined.file(at:))])
    }
    let faults = Self.faults(of: document, from: joined, against: schema)
    guard faults.isEmpty else { throw GenerationError(messages: faults) }
    var fragments: [String: NodeIndex] = [:]
    for fragment in document.children(of: 0, .fragmentDefinition) { fragments[document.name(fragment)] = fragment }
    operations = Array(document.children(of: 0, .operationDefinition))
    self.fragments = fragments
    self.schema = schema
    self.files = joined
  }

  /// The texts of all files as one text.
  private struct JoinedFiles {
    private(set) var text = ""
    private var starts: [(line: Int, name: String)] = []

    init(_ files: [(name: String, text: String)]) {
      var line = 1
      for file in files {
        starts.append((line, file.name))
        text += file.text + "\n"
        line += Source(file.text + "\n").location(at: file.text.utf8.count + 1).line - 1
      }
    }

    /// The file that has a line of the text, and the number of lines before the file.
    func file(at line: Int) -> (name: String, start: Int) {
      let start = starts.last { $0.line <= line } ?? (line: 1, name: "")
      return (start.name, start.line - 1)
    }
  }

  private static var options: ValidationOptions {
    var options = ValidationOptions()
    // These limits are for a single untrusted operation, not for all documents of a client.
    options.limits.aliases = .max
    options.limits.fragmentSpreads = .max
    options.budget = 100_000_000
    return options
  }

  private static func faults(of document: Document, from files: JoinedFiles, against schema: Schema) -> [String] {
    var faults = Validator.validate(document, against: schema, options: options).map { describe($0, files.file(at:)) }
    for operation in document.children(of: 0, .operationDefinition) where document.name(operation).isEmpty {
      let line = document.location(operation).line
      let (name, start) = files.file(at: line)
      faults.append(
        "\(name):\(line - start): An operation must have a name, from which the name of its type is derived."
      )
    }
    return faults
  }

  /// A warning for each use of a deprecated element, in the form of compilers.
  var warnings: [String] {
    var options = Self.options
    options.rejectsDeprecated = true
    options.maximumErrors = .max
    // The document is valid without the option, so these are all errors.
    return Validator.validate(document, against: schema, options: options).map { error in
      var warning = error
      warning.message = "warning: \(error.message)"
      return Self.describe(warning, files.file(at:))
    }
  }

  /// The type that the selection set of an operation or a fragment is applied to.
  func type(of definition: NodeIndex) -> TypeID? {
    guard document[definition].kind == .fragmentDefinition else {
      return schema.rootType(OperationType(document[definition].flags))
    }
    return document.firstChild(of: definition, .namedType).flatMap { schema.type(named: document.name($0)) }
  }

  /// The type condition and the selection set of a spread or an inline fragment.
  func fragment(_ node: NodeIndex, on type: TypeID) -> (condition: TypeID, set: NodeIndex)? {
    let definition: NodeIndex
    switch document[node].kind {
    case .inlineFragment: definition = node
    case .fragmentSpread:
      guard let spread = fragments[document.name(node)] else { return nil }
      definition = spread
    default: return nil
    }
    guard let set = document.firstChild(of: definition, .selectionSet) else { return nil }
    let condition = document.firstChild(of: definition, .namedType).flatMap { schema.type(named: document.name($0)) }
    return (condition ?? type, set)
  }

  /// Parses each file separately, so that a syntax error is reported for its own file.
  private static func withoutRepeatedFragments(
    _ files: [(name: String, text: String)]
  ) throws(GenerationError) -> [(name: String, text: String)] {
    var faults: [String] = []
    var files = files
    var known: Set<String> = []
    for (index, file) in files.enumerated() {
      do {
        let document = try Parser.parse(Source(file.text, name: file.name), options: .trusted)
        files[index].text = withoutRepeatedFragments(document, known: &known)
      } catch {
        faults.append(describe(error) { _ in (file.name, 0) })
      }
    }
    guard faults.isEmpty else { throw GenerationError(messages: faults) }
    return files
  }

  /// The text with spaces in place of fragments that an earlier file defines identically: documents that were saved as
  /// requests contain the fragments that they use.
  private static func withoutRepeatedFragments(_ document: Document, known: inout Set<String>) -> String {
    var bytes = Array(document.source.bytes)
    let fragments = document.children(of: 0, .fragmentDefinition)
    let texts = fragments.map { ($0, Printer.print($0, of: document)) }
    for (fragment, text) in texts where known.contains(text) {
      for index in Int(document[fragment].start)..<Int(document[fragment].end) where bytes[index] != UInt8(ascii: "\n")
      {
        bytes[index] = UInt8(ascii: " ")
      }
    }
    known.formUnion(texts.map(\.1))
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func describe(_ error: GraphQLError, _ file: (Int) -> (name: String, start: Int)) -> String {
    let locations = error.locations.map { location in
      let (name, start) = file(location.line)
      return (name: name, text: "\(name):\(location.line - start):\(location.column)")
    }
    guard let first = locations.first else { return error.message }
    // For example an operation that two files define.
    let others = locations.filter { $0.name != first.name }.map(\.text)
    return "\(first.text): \(error.message)" + (others.isEmpty ? "" : " See \(others.joined(separator: ", ")).")
  }
}
