import Bytes
import Foundation

@testable import GraphQL

/// A schema whose fields all resolve to null, for introspection.
struct IntrospectionServer {
  let executable: ExecutableSchema
  var executor: Executor
  var preparation: Preparation

  init(_ sdl: String) throws {
    let schema = try SchemaBuilder.build(sdl)
    var objects: [String: ObjectBinding] = [:]
    for type in schema.types where type.kind == .object && !type.name.hasPrefix("__") {
      var fields: [String: FieldBinding] = [:]
      for field in type.fields {
        fields[field.name] =
          schema[field.type.type].isComposite ? .load(needs: []) { _, _ in } : .leaf(needs: []) { _ in .null }
      }
      let isSubscription = schema.subscriptionType.map { schema[$0].name } == type.name
      let sources: [String: SourceBinding] = isSubscription ? fields.mapValues { _ in Self.silence } : [:]
      objects[type.name] = ObjectBinding(fields: fields, sources: sources)
    }
    executable = try ExecutableSchema(schema, objects: objects)
    executor = Executor(executable)
    preparation = Preparation(executable)
  }

  private static let silence: SourceBinding = { _, _, _ in SourceStream(Topic("nothing"), visibility: 0) }

  func answer(_ text: String) async throws -> String {
    try await answer(try preparation.prepare(Array(text.utf8), operationName: nil))
  }

  /// `variables` is a JSON object.
  func answer(
    _ operation: PreparedOperation,
    _ variables: String = "{}",
    onError: ErrorBehavior = .propagate
  ) async throws -> String {
    let given = try givenVariables(variables)
    let values = try VariableCoercion.coerce(given, to: operation.variables, in: executable.schema)
    let context = SilentContext()
    return String(
      decoding: await executor.execute(operation, variables: values, context: context, onError: onError).array(),
      as: UTF8.self
    )
  }
}

private final class SilentContext: ExecutionContext {
  func objectType(of key: Int64) -> TypeID? { nil }
  func willSuspend() {}
  func report(_ error: any Error, at field: String) {}
}
