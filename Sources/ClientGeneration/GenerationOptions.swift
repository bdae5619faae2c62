/// The options of client generation.
package struct GenerationOptions: Sendable {
  package enum Access: String, CaseIterable, Sendable {
    case `public`, `internal`
  }

  /// The access level of the generated types.
  package var access = Access.public
  /// The Swift types of scalars. Each must conform to `GraphQLInput`, `Decodable`, `Hashable` and `Sendable`. Without
  /// one for `ID`, the ids of each object type have a type of their own.
  package var scalars = [
    "Int": "Int", "Float": "Double", "String": "String", "Boolean": "Bool",
    "DateTime": "Date", "Date": "LocalDate", "Upload": "UploadFile",
  ]
  /// The module with the protocols that generated types conform to.
  package var runtime = "HearthClient"

  /// The TypeScript types of scalars, as they are in JSON.
  package var typescriptScalars = [
    "Int": "number", "Float": "number", "String": "string", "Boolean": "boolean",
    "DateTime": "string", "Date": "string", "Upload": "Blob",
  ]

  /// The id by which operations request a document that the server knows. Without it they send its text.
  package var documentID: (@Sendable (_ text: String) -> String)?

  package init() {}

  /// The scalars whose types are not the default ones.
  var ownScalars: [String] {
    let defaults = GenerationOptions()
    let swift = scalars.filter { defaults.scalars[$0.key] != $0.value }
    let typescript = typescriptScalars.filter { defaults.typescriptScalars[$0.key] != $0.value }
    return Set(swift.keys).union(typescript.keys).sorted()
  }
}
