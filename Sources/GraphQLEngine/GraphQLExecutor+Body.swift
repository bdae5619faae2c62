import GraphQL
import JSON

extension GraphQLExecutor {
  /// Executes the query or mutation in the body of a `POST` of another server, as in GraphQL over HTTP: a JSON object
  /// with `query` and, if needed, `operationName` and `variables`.
  ///
  /// ```swift
  /// let response = await executor.respond(toBody: bytes, context: context)
  /// send(response.json, status: response.status, contentType: "application/graphql-response+json")
  /// ```
  ///
  /// Accept bodies of the type `application/json` only: a form of another site cannot send these.
  ///
  /// - Parameters:
  ///   - body: The body, which is JSON in UTF-8.
  ///   - context: The value that resolvers read as `request.context`.
  /// - Returns: The response, which consists of errors if the body is not such an object.
  public func respond(toBody body: some Sequence<UInt8>, context: Context) async -> GraphQLResponse {
    let root: JSONValue
    do throws(GraphQLErrors) {
      root = try JSONDocument.object(in: Array(body), named: "The body", within: json)
    } catch {
      return GraphQLResponse(toUnreadableBody: error.response)
    }
    do throws(GraphQLErrors) {
      return GraphQLResponse(json: await execute(try request(in: root, context: context)))
    } catch {
      return GraphQLResponse(json: error.response)
    }
  }

  private func request(in root: JSONValue, context: Context) throws(GraphQLErrors) -> ExecutorRequest<Context> {
    func member(_ key: StaticString, of kind: JSONValue.Kind) throws(GraphQLErrors) -> JSONValue? {
      guard let value = root[key], !value.isNull else { return nil }
      guard value.kind == kind else {
        throw GraphQLErrors([GraphQL.GraphQLError("`\(key)` must be of type \(kind).", code: .badUserInput)])
      }
      return value
    }
    guard let document = try member("query", of: .string)?.stringBytes else {
      throw GraphQLErrors([GraphQL.GraphQLError("The request has no `query`.", code: .badUserInput)])
    }
    return ExecutorRequest(
      Array(document),
      operationName: try member("operationName", of: .string)?.string,
      variables: try member("variables", of: .object).map { Array($0.rawBytes) } ?? Array("{}".utf8),
      context: context
    )
  }
}

extension JSONDocument {
  /// Reads a JSON object of a client.
  ///
  /// - Parameter name: What the text is, for the error.
  static func object(
    in text: [UInt8],
    named name: String,
    within limits: JSONLimits
  ) throws(GraphQLErrors) -> JSONValue {
    let message: String
    do throws(JSONError) {
      let root = try JSONDocument(text, limits: limits).root
      if root.kind == .object { return root }
      message = "\(name) must be a JSON object."
    } catch {
      message =
        switch error.reason {
        case .tooLong: "\(name) can have at most \(limits.bytes) bytes."
        case .tooDeep: "\(name) can have at most \(limits.depth) levels of arrays and objects."
        default: "\(name) must be a JSON object: \(error.description)"
        }
    }
    throw GraphQLErrors([GraphQL.GraphQLError(message, code: .badUserInput)])
  }
}
