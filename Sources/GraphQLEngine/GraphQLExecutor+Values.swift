extension GraphQLExecutor {
  /// Executes a query or mutation and returns the response as JSON. The response to a subscription is an error.
  ///
  /// ```swift
  /// await executor.execute("query($id: ID!) { book(id: $id) { title } }", variables: ["id": 1], context: context)
  /// ```
  ///
  /// - Parameters:
  ///   - document: The GraphQL document.
  ///   - operationName: The operation to execute, where the document has several.
  ///   - variables: The variables of the operation.
  ///   - files: The files of the operation, by the paths of the variables that they replace, such as `file` or
  ///     `files.0`. These are `null` in `variables`.
  ///   - context: The value that resolvers read as `request.context`.
  public func execute(
    _ document: String,
    operationName: String? = nil,
    variables: [String: GraphQLValue],
    files: [String: Upload] = [:],
    context: Context
  ) async -> String {
    let json = GraphQLValue.object(variables).json
    return await execute(document, operationName: operationName, variables: json, files: files, context: context)
  }

  /// Returns the responses to an operation of any type, as JSON: one to a query or mutation, and one to each event of a
  /// subscription. The operation starts when the first response is read, and again for each iteration of the sequence.
  ///
  /// - Parameters:
  ///   - document: The GraphQL document.
  ///   - operationName: The operation to execute, where the document has several.
  ///   - variables: The variables of the operation.
  ///   - files: The files of the operation, by the paths of the variables that they replace, such as `file` or
  ///     `files.0`. These are `null` in `variables`.
  ///   - context: The value that resolvers read as `request.context`.
  public nonisolated func responses(
    to document: String,
    operationName: String? = nil,
    variables: [String: GraphQLValue],
    files: [String: Upload] = [:],
    context: Context
  ) -> GraphQLResponses<Context> {
    let json = GraphQLValue.object(variables).json
    return responses(to: document, operationName: operationName, variables: json, files: files, context: context)
  }
}
