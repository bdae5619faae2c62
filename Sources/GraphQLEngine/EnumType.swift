import GraphQL

extension GraphQLSchema {
  /// Compares a Swift enum with an enum of the schema when the server starts: a value or a case that the other one
  /// lacks is an error of the start.
  ///
  /// ```swift
  /// enum Role: String, CaseIterable, Decodable { case admin = "ADMIN", member = "MEMBER" }
  ///
  /// schema.enumeration("Role", Role.self)
  /// ```
  ///
  /// Enums can be arguments and results without that. An argument whose value the Swift enum lacks is then an internal
  /// error, and so is a result that the schema lacks.
  ///
  /// - Parameters:
  ///   - name: The name of the enum in the schema.
  ///   - type: The Swift enum, whose raw values are the names of the schema's values.
  public mutating func enumeration<Value: CaseIterable & RawRepresentable>(
    _ name: String,
    _ type: Value.Type
  ) where Value.RawValue == String {
    enums.append(EnumType(name: name, swiftType: "\(type)", cases: type.allCases.map(\.rawValue)))
  }

  func enumFaults(in schema: Schema) -> [String] {
    enums.flatMap { registered -> [String] in
      guard let type = schema.type(named: registered.name).map({ schema[$0] }), type.kind == .enum else {
        return ["\(registered.name) is registered as an enum, but the schema has no enum of that name."]
      }
      let values = type.enumValues.map(\.name)
      let cases = Set(registered.cases)
      return values.filter { !cases.contains($0) }.map {
        "\(registered.swiftType) has no case for the value \($0) of the enum \(registered.name)."
      }
        + registered.cases.filter { !values.contains($0) }.map {
          "\(registered.swiftType) has a case for \($0), which is no value of the enum \(registered.name)."
        }
    }
  }
}

/// A Swift enum that must have the values of an enum of the schema.
struct EnumType: Sendable {
  let name: String
  let swiftType: String
  /// The raw values.
  let cases: [String]
}
