import Bytes
import EventLoop
import GraphQL
import HTTP

/// What is wrong with a request, said without executing anything of it: for editors that underline faults while one
/// types. The body is that of a request to the endpoint; the answer is its errors, none where it would be executed.
extension GraphQLHandler {
  func respondToValidation(of request: HTTPRequest) async -> HTTPResponse {
    guard request.method == .post else { return Refusal.onlyPost }
    guard let format = ResponseFormat.preferred(by: request) else { return Refusal.notAcceptable }
    guard request.isJSON else { return Refusal.unsupportedMediaType(format) }
    do {
      let asked = try await read(request.body) { () throws(MalformedRequest) in try GraphQLRequest(json: request.body) }
      let context = try await service.context(for: Caller(request, address: service.address(of: request)))
      defer { service.finish(context) }
      let faults = try await faults(of: asked, for: context)
      return HTTPResponse(.ok, headers: ResponseFormat.json.headers, body: ErrorResponse.bytes(faults))
    } catch let error as MalformedRequest {
      return Refusal.badRequest(error.message, format)
    } catch is WorkerPool.Overloaded {
      return Refusal.overloaded(format)
    } catch {
      return Refusal.internalError(format)
    }
  }

  /// A document in the making is never asked for again: it has no place among the prepared ones.
  private func faults(of asked: GraphQLRequest, for context: Service.Context) async throws -> [GraphQLError] {
    let documents = service.allowsIntrospection(context) ? open : closed
    do {
      let document = asked.hasDocument ? asked.document : try documents.stored.document(of: asked)
      try admit(document, of: context)
      let operation = try documents.preparation.prepare(document, operationName: asked.operationName)
      let variables = try await coerce(asked, to: operation, for: context)
      return executor.refusal(of: operation, variables: variables, context: context).map { [$0] } ?? []
    } catch let error as GraphQLErrors {
      return error.errors
    }
  }
}
