import GraphQL

/// The text of operations as sent: with their fragments, and with `__typename` wherever the response must identify the
/// type of an object.
package struct SentDocuments {
  private let client: ClientDocument
  private let setsWithCases: Set<NodeIndex>

  init(_ client: ClientDocument, setsWithCases: Set<NodeIndex>) {
    self.client = client
    self.setsWithCases = setsWithCases
  }

  /// All texts that a client sends, for a server that executes only documents that it knows.
  ///
  /// - Parameters:
  ///   - documents: The names and texts of the files with operations and fragments.
  ///   - schema: The schema in the schema definition language.
  ///   - own: What the client sends by itself. It is left out if it is not valid for the schema.
  package static func texts(
    of documents: [(name: String, text: String)],
    schema: String,
    own: [OwnDocument]
  ) throws(GenerationError) -> [String] {
    let client = try ClientDocument(documents, schema: .ofClient(schema))
    let sent = SentDocuments(client, setsWithCases: ClientSelections(client).setsWithCases)
    return client.operations.map(sent.text(of:)) + own.filter { $0.isValid(in: client.schema) }.map(\.text)
  }

  func text(of operation: NodeIndex) -> String {
    var definitions = [operation]
    var next = 0
    while next < definitions.count {
      let definition = definitions[next]
      next += 1
      for node in definition..<Int(client.document[definition].subtreeEnd)
      where client.document[node].kind == .fragmentSpread {
        guard let fragment = client.fragments[client.document.name(node)], !definitions.contains(fragment) else {
          continue
        }
        definitions.append(fragment)
      }
    }
    return definitions.map(definitionText).joined(separator: "\n")
  }

  private func definitionText(_ definition: NodeIndex) -> String {
    let document = client.document
    let bytes = document.source.bytes
    let end = Int(document[definition].end)
    var text = ""
    var at = Int(document[definition].start)
    for set in definition..<Int(document[definition].subtreeEnd) where setsWithCases.contains(set) {
      let brace = Int(document[set].start) + 1
      text += String(decoding: bytes[at..<brace], as: UTF8.self) + " __typename"
      // A selection set on one line may or may not have a space after its brace.
      if brace < end, bytes[brace] != UInt8(ascii: " "), bytes[brace] != UInt8(ascii: "\n") { text += " " }
      at = brace
    }
    return text + String(decoding: bytes[at..<end], as: UTF8.self)
  }
}
