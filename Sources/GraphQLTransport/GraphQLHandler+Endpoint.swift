import Bytes
import GraphQL
import HTTP
import HTTPServer

/// An answer on its way to another thread and back.
///
/// `@unchecked Sendable`: the handler waits while the other thread has it, and touches nothing of it until then.
private final class LongAnswer: @unchecked Sendable {
  var body: ByteBuffer?
  var response: HTTPResponse?

  init(_ body: consuming ByteBuffer) { self.body = consume body }

  func finish(_ format: ResponseFormat, _ request: HTTPRequest) {
    guard let body = body.take() else { return }
    response = format.answer(body, to: request)
  }
}

/// GraphQL over HTTP: what becomes of a request to the endpoint.
extension GraphQLHandler {
  func respondAtEndpoint(to request: HTTPRequest) async -> HTTPResponse {
    switch request.method {
    case .post: return await respondToPost(request)
    case .get, .head:
      if request.query == nil { return files.page(for: request) ?? Refusal.noQuery(request) }
      return await respondToGet(request)
    case .options: return Refusal.methods
    case .other: return Refusal.unknownMethod(request.methodText)
    }
  }

  /// GraphQL over HTTP, section 5.4.
  private func respondToPost(_ request: HTTPRequest) async -> HTTPResponse {
    guard let format = ResponseFormat.preferred(by: request) else { return Refusal.notAcceptable }
    do {
      if request.isJSON {
        if batchSize > 1 && Self.isList(request.body) { return try await respondToBatch(request, format) }
        let asked = try await read(request.body) { () throws(MalformedRequest) in try GraphQLRequest(json: request.body)
        }
        return await respond(to: asked, of: request, format)
      }
      guard let form = request.form else { return Refusal.unsupportedMediaType(format) }
      guard request.hasPreflightHeader else { return Refusal.noPreflightHeader(format) }
      let asked = try await read(request.body) { () throws(MalformedRequest) in
        try MultipartRequest(request.body, contentType: form)
      }
      return await respond(to: asked.request, files: asked.files, of: request, format)
    } catch let error as MalformedRequest {
      return Refusal.badRequest(error.message, format)
    } catch {
      return Refusal.overloaded(format)
    }
  }

  /// GraphQL over HTTP, section 5.3: queries only.
  private func respondToGet(_ request: HTTPRequest) async -> HTTPResponse {
    guard let format = ResponseFormat.preferred(by: request) else { return Refusal.notAcceptable }
    do {
      let fields = try FormFields(request.query ?? [])
      let asked = try GraphQLRequest(form: fields)
      return await respond(to: asked, of: request, format)
    } catch let error as MalformedRequest {
      return Refusal.badRequest(error.message, format)
    } catch {
      return Refusal.badRequest("\(error)", format)
    }
  }

  /// The common case: a query by POST of somebody who is known, of which no field waits.
  package func respondAtOnce(to request: HTTPRequest) -> HTTPAnswer? {
    guard request.path == endpoint else { return nil }
    if let live = openLive(for: request) { return live }
    guard request.method == .post, request.body.count <= LargeRequest.bytes, request.isJSON,
      !crossOrigin.concerns(request),
      let format = ResponseFormat.preferred(by: request), let asked = try? GraphQLRequest(json: request.body)
    else { return nil }
    let known = service.isOpenToIntrospection ? open.known(asked) : nil
    if let known, known.type != .query { return nil }
    // A response that is the same for everybody does not depend on the caller. It is of operations without variables.
    if let known, let answer = format.constantAnswer(of: known, to: request) {
      metrics.count(.request)
      return .response(answer)
    }
    // The network counts for a document that asks about the schema and is new, and it is not known here.
    if known == nil, asked.hasDocument, IntrospectionText.isMentioned(in: asked.document) { return nil }
    guard let context = try? service.knownContext(for: Caller(request)) else { return nil }
    defer { service.finish(context) }
    switch prepare(asked, known, for: context) {
    case .failure(let refused):
      metrics.count(.request)
      return .response(refusal(refused, format))
    case .success(let (operation, variables)):
      guard
        let body = executor.executeAtOnce(
          operation,
          variables: variables,
          context: context,
          onError: asked.onError
        )
      else { return nil }
      metrics.count(.request)
      return .response(format.answer(body, to: request))
    }
  }

  private func respond(
    to asked: GraphQLRequest,
    files: [UploadedFile] = [],
    of request: HTTPRequest,
    _ format: ResponseFormat
  ) async -> HTTPResponse {
    switch await execute(asked, files: files, of: request) {
    case .executed(let body):
      return body.count > ResponseFormat.maximumBytesOnLoop
        ? await answerOffLoop(body, to: request, format) : format.answer(body, to: request)
    case .refused(let refused): return refusal(refused, format)
    case .mutationByGet: return Refusal.mutationByGet(format)
    case .overloaded: return Refusal.overloaded(format)
    case .failed: return Refusal.internalError(format)
    }
  }

  /// A long answer is compressed, or given its tag, on another thread. Where that has no room the answer goes out as it
  /// is.
  private func answerOffLoop(
    _ body: consuming ByteBuffer,
    to request: HTTPRequest,
    _ format: ResponseFormat
  ) async -> HTTPResponse {
    let answer = LongAnswer(body)
    let isDone = await service.runOffLoop { answer.finish(format, request) }
    if isDone, let response = answer.response.take() { return response }
    return HTTPResponse(.ok, headers: format.headers, body: answer.body.take() ?? ByteBuffer())
  }

  private func refusal(_ refused: GraphQLErrors, _ format: ResponseFormat) -> HTTPResponse {
    metrics.count(.refusal)
    // The variables are malformed as JSON, which is said as it is of the rest of the body.
    let isMalformed = refused.errors.first?.code == .badRequest
    // Clients of Apollo's protocol look for this in answers that are not failures of HTTP.
    let isOffer = refused.errors.first?.code == .persistedQueryNotFound
    return HTTPResponse(
      isOffer ? .ok : isMalformed ? .badRequest : format.refusalStatus,
      headers: format.headers,
      body: ErrorResponse.bytes(refused.errors)
    )
  }
}
