import GraphQL

/// The result of what precedes the execution of a request: its operation, variables and plan. Any thread can make it.
///
/// `@unchecked Sendable`: only this value refers to the operation until a loop caches it.
struct RequestPreparation: @unchecked Sendable {
  let operation: PreparedOperation
  let variables: Result<VariableValues, GraphQLErrors>
  /// The reason why the operation has no plan with these variables; nil if it has one.
  private(set) var planError: GraphQLError?

  init(_ operation: PreparedOperation, variables: Result<VariableValues, GraphQLErrors>) {
    self.operation = operation
    self.variables = variables
  }

  /// Prepares a document, and plans its operation with the given variables.
  init(
    of document: [UInt8],
    named name: String?,
    given: GivenVariables,
    preparation: Preparation,
    suggests: Bool,
    limits: VariableLimits,
    isIncremental: Bool = false
  ) throws(GraphQLErrors) {
    let operation = try preparation.prepare(document, operationName: name)
    do throws(GraphQLErrors) {
      let variables = try VariableCoercion.coerce(
        given,
        to: operation.variables,
        in: preparation.executable.schema,
        suggests: suggests,
        limits: limits
      )
      self.init(operation, variables: .success(variables))
      do {
        _ = try operation.plan(for: variables, isIncremental: isIncremental)
      } catch {
        planError = error
      }
    } catch {
      self.init(operation, variables: .failure(error))
    }
  }
}
