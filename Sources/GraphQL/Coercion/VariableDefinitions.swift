/// A variable that an operation declares.
package struct VariableDefinition: Sendable {
  package let name: String
  package let type: TypeReference
  package let defaultValue: InputValue?
  package let location: SourceLocation
}

/// The variables that an operation declares, and what the coercion of each request needs to know of them. One
/// reference, which each request retains once.
package final class VariableDefinitions: Sendable {
  package let definitions: [VariableDefinition]
  package let names: [String]
  /// Whether every string is a value of each of them: all are of type `ID` or `String`. The variables of most queries
  /// are such.
  let acceptAllStrings: Bool

  package init(_ definitions: [VariableDefinition], in schema: Schema) {
    self.definitions = definitions
    names = definitions.map(\.name)
    acceptAllStrings = definitions.allSatisfy {
      let type = $0.type.nullable
      return type.isNamed && schema.scalars[type.type.index]?.acceptsAllStrings == true
    }
  }

  package var isEmpty: Bool { definitions.isEmpty }
}
