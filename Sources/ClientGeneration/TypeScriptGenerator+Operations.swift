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
    writer.template(
      documents.text(of: operation),
      after: "export const \(base)Document = ",
      end: " as string as TypedDocument<\(literal(kind)), \(data), \(data)Variables>;"
    )
    writer.line()
    return [data, data + "Variables", base + "Document"]
  }
}
