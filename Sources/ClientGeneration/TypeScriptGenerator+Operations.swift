import GraphQL

extension TypeScriptGenerator {
  /// Writes an operation, and returns the names that it declares.
  mutating func write(
    operation: NodeIndex,
    selection: Selection,
    documents: SentDocuments,
    to writer: inout TypeScriptWriter
  ) -> [String] {
    let document = client.document
    let kind = OperationType(document[operation].flags).rawValue
    let base = SwiftName.type(document.name(operation))
    let data = SwiftGenerator.name(of: operation, in: document)
    var variables: [String] = []
    for node in document.children(of: operation, .variableDefinition) {
      guard let typeNode = document.type(of: node), let type = schema.reference(typeNode, in: document) else {
        continue
      }
      variables.append(input(document.name(node), type: type, hasDefault: document.value(of: node) != nil))
    }
    let description = document.description(of: operation).map(text)
    writer.comment(description)
    writer.line("export type \(data) = \(type(of: selection, indented: ""));")
    writer.line()
    if variables.isEmpty {
      writer.line("export type \(data)Variables = Record<string, never>;")
    } else {
      writer.block("export type \(data)Variables = {", end: "};") { writer in
        for variable in variables { writer.line(variable) }
      }
    }
    writer.line()
    writer.comment(description)
    write(
      document: documents.text(of: operation),
      after: "export const \(base)Document = ",
      end: " as string as TypedDocument<\(literal(kind)), \(data), \(data)Variables>;",
      to: &writer
    )
    writer.line()
    return [data, data + "Variables", base + "Document"]
  }

  /// Writes what the client sends by itself, and which member of a request has its document.
  func writeOwnDocuments(to writer: inout TypeScriptWriter) {
    let member = options.documentID == nil ? "query" : "documentId"
    writer.line("const documentMember = \(literal(member));")
    write(document: OwnDocument.renewal.text, after: "const renewalDocument = ", end: ";", to: &writer)
    writer.line()
  }

  /// Writes the text of a document, or the id by which it is requested.
  private func write(document text: String, after head: String, end: String, to writer: inout TypeScriptWriter) {
    guard let id = options.documentID?(text) else { return writer.template(text, after: head, end: end) }
    writer.line(head + literal(id) + end)
  }
}
