import GraphQL
import Testing

@testable import Hearth

@Suite("The schema's names follow the rules that its description states")
struct NamingTests {
  private static func mutations(_ coordinates: SchemaCoordinates) -> [FieldDefinition] {
    coordinates.mutations.filter { $0.deprecationReason == nil }
  }

  @Test func `a mutation takes one value, or several in one input`() throws {
    let coordinates = try SchemaCoordinates()
    var several = 0
    for mutation in Self.mutations(coordinates) {
      let arguments = mutation.arguments.filter { $0.deprecationReason == nil }
      #expect(arguments.count <= 1, "Mutation.\(mutation.name) has \(arguments.map(\.name))")
      guard let argument = arguments.first else { continue }
      let type = coordinates.schema[argument.type.type]
      let fields = type.inputFields.filter { $0.deprecationReason == nil }
      let isInput = type.kind == .inputObject && !argument.type.isList
      #expect(isInput == (argument.name == "input"), "Mutation.\(mutation.name)(\(argument.name):)")
      #expect(!isInput || fields.count > 1, "Mutation.\(mutation.name): the input has one field")
      if isInput { several += 1 }
    }
    #expect(several > 20)
  }

  /// The type is compared without its exclamation marks: what is required in one form can be optional in the other.
  @Test func `what is deprecated names its replacement, which has the same type`() throws {
    let schema = try SchemaCoordinates().schema
    func name(_ type: TypeReference?) -> String? { type.map { schema.name(of: $0).replacing("!", with: "") } }
    var count = 0
    func check(_ coordinate: String, _ reason: String?, _ type: TypeReference, _ find: ([String]) -> TypeReference?) {
      guard let reason else { return }
      count += 1
      let path = reason.split(separator: "`").dropFirst().first?.split(separator: ".").map(String.init) ?? []
      #expect(reason == "Use `\(path.joined(separator: "."))` instead.", "\(coordinate): \(reason)")
      #expect(name(find(path)) == name(type), "\(coordinate): \(reason)")
    }
    func current(_ values: [InputValueDefinition], _ name: String?) -> TypeReference? {
      values.first { $0.name == name && $0.deprecationReason == nil }?.type
    }
    for type in schema.types where !type.name.hasPrefix("__") {
      for field in type.inputFields {
        check("\(type.name).\(field.name)", field.deprecationReason, field.type) { path in
          path.count == 1 ? current(type.inputFields, path[0]) : nil
        }
      }
      for field in type.fields {
        check("\(type.name).\(field.name)", field.deprecationReason, field.type) { path in
          type.fields.first { [$0.name] == path && $0.deprecationReason == nil }?.type
        }
        for argument in field.arguments {
          let coordinate = "\(type.name).\(field.name)(\(argument.name):)"
          // An input whose only field became the argument.
          let inner = argument.name == "input" ? schema[argument.type.type].inputFields : []
          check(coordinate, argument.deprecationReason, inner.first?.type ?? argument.type) { path in
            let type = current(field.arguments, path.first)
            if !inner.isEmpty { return inner.map(\.name) == path ? type : nil }
            return path.count == 1 ? type : type.flatMap { current(schema[$0.type].inputFields, path[1]) }
          }
        }
      }
    }
    #expect(count > 40)
  }
}
