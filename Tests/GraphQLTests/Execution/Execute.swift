import Bytes
import Foundation
import JSON

@testable import GraphQL

/// A request: a document, variables as JSON, and an operation name.
struct ZooRequest: Codable {
  var document: String
  var variables: String?
  var operationName: String?
}

/// A response, with the context of its request.
struct ZooAnswer {
  let json: String
  let context: ZooContext
  /// Whether the operation was executed.
  let isExecuted: Bool
}

/// The engine, used like in a server: prepares, coerces, executes.
struct ZooServer {
  let executable: ExecutableSchema
  let executor: Executor
  var preparation: Preparation

  init(executionLimits: ExecutionLimits = ExecutionLimits(), adding directives: String = "") throws {
    executable = try Zoo.executable(adding: directives)
    executor = Executor(executable, limits: executionLimits)
    preparation = Preparation(executable)
    // Without validation, to test how execution treats any document, valid or not.
    preparation.validation = nil
  }

  func answer(
    _ request: ZooRequest,
    onError: ErrorBehavior = .propagate,
    configure: (ZooContext) -> Void = { _ in }
  ) async -> ZooAnswer {
    let context = ZooContext(executable.schema)
    configure(context)
    do {
      let operation = try preparation.prepare(Array(request.document.utf8), operationName: request.operationName)
      let given = GivenVariables(try request.variables.map { try JSONDocument(Array($0.utf8)).root })
      let variables = try VariableCoercion.coerce(given, to: operation.variables, in: executable.schema, suggests: true)
      let response = await executor.execute(operation, variables: variables, context: context, onError: onError)
      return ZooAnswer(json: String(decoding: response.array(), as: UTF8.self), context: context, isExecuted: true)
    } catch let error as GraphQLErrors {
      let response = ErrorResponse.bytes(error.errors)
      return ZooAnswer(json: String(decoding: response.array(), as: UTF8.self), context: context, isExecuted: false)
    } catch {
      return ZooAnswer(json: "\(error)", context: context, isExecuted: false)
    }
  }

  func answer(_ document: String, _ variables: String? = nil) async -> String {
    await answer(ZooRequest(document: document, variables: variables)).json
  }
}

/// The variables of a request.
func givenVariables(_ json: String) throws -> GivenVariables {
  GivenVariables(try JSONDocument(Array(json.utf8)).root)
}

/// The messages of a response's errors.
func messages(_ json: String) throws -> [String] {
  try JSONDocument(Array(json.utf8)).root["errors"]?.elements?.map { $0["message"]?.string ?? "" } ?? []
}

/// The first location of each error of a response.
func locations(_ json: String) throws -> [[Int64?]] {
  try JSONDocument(Array(json.utf8)).root["errors"]?.elements?.map { error in
    error["locations"]?.elements?.first { _ in true }.map { [$0["line"]?.int64, $0["column"]?.int64] } ?? []
  } ?? []
}

/// The codes of a response's errors.
func codes(_ json: String) throws -> [String] {
  try JSONDocument(Array(json.utf8)).root["errors"]?.elements?.map { $0["extensions"]?["code"]?.string ?? "" } ?? []
}

extension Executor {
  /// The complete response as JSON, also if it is a request error.
  func execute(
    _ operation: PreparedOperation,
    variables: VariableValues,
    context: any ExecutionContext,
    onError: ErrorBehavior = .propagate
  ) async -> ByteBuffer {
    do throws(GraphQLError) {
      switch try start(operation, variables: variables, context: context, onError: onError) {
      case .response(let response): return response
      case .waiting(let execution): return try await finish(execution)
      }
    } catch {
      return ErrorResponse.bytes([error])
    }
  }
}
