import Bytes
import Foundation
import JSON

@testable import GraphQL

/// A request as it comes: a document, variables as JSON, a name.
struct ZooRequest: Codable {
  var document: String
  var variables: String?
  var operationName: String?
}

/// An answer and what its request did.
struct ZooAnswer {
  let json: String
  let context: ZooContext
  /// Whether it was executed at all.
  let isExecuted: Bool
}

/// The engine as a server uses it: prepares, coerces, executes.
struct ZooServer {
  let executable: ExecutableSchema
  let executor: Executor
  var preparation: Preparation

  init(executionLimits: ExecutionLimits = ExecutionLimits()) throws {
    executable = try Zoo.executable()
    executor = Executor(executable, limits: executionLimits)
    preparation = Preparation(executable)
    // What execution itself does with a document, valid or not.
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

/// What a request gives as its variables.
func givenVariables(_ json: String) throws -> GivenVariables {
  GivenVariables(try JSONDocument(Array(json.utf8)).root)
}

/// The messages of an answer's errors.
func messages(_ json: String) throws -> [String] {
  try JSONDocument(Array(json.utf8)).root["errors"]?.elements?.map { $0["message"]?.string ?? "" } ?? []
}

/// The first location of each of an answer's errors.
func locations(_ json: String) throws -> [[Int64?]] {
  try JSONDocument(Array(json.utf8)).root["errors"]?.elements?.map { error in
    error["locations"]?.elements?.first { _ in true }.map { [$0["line"]?.int64, $0["column"]?.int64] } ?? []
  } ?? []
}

/// The codes of an answer's errors.
func codes(_ json: String) throws -> [String] {
  try JSONDocument(Array(json.utf8)).root["errors"]?.elements?.map { $0["extensions"]?["code"]?.string ?? "" } ?? []
}

extension Executor {
  /// The whole response as JSON.
  func execute(
    _ operation: PreparedOperation,
    variables: VariableValues,
    context: any ExecutionContext,
    onError: ErrorBehavior = .propagate
  ) async -> ByteBuffer {
    switch start(operation, variables: variables, context: context, onError: onError) {
    case .response(let response): response
    case .waiting(let execution): await finish(execution)
    }
  }
}
