import Bytes
import GraphQL
import HTTP
import HTTPServer
import JSON

/// A batch: a list of requests in one body, which gets a list of responses. The requests are executed one after the
/// other, in their order. Deployments allow batches by a setting; the default is none.
extension GraphQLHandler {
  func run(_ list: [JSONValue], of request: HTTPRequest, in format: ResponseFormat) async -> HTTPAnswer {
    guard !list.isEmpty else {
      return .response(Rejection.badRequest(BadRequestError("The list of requests is empty."), in: format))
    }
    guard list.count <= options.batchSize else {
      let message = "A list can have at most \(options.batchSize) requests, not \(list.count)."
      return .response(Rejection.badRequest(BadRequestError(message), in: format))
    }
    guard request[.idempotencyKey] == nil else {
      let message = "The requests of a list have a key each, in `extensions.idempotencyKey`, not one in the header."
      return .response(Rejection.badRequest(BadRequestError(message), in: format))
    }
    var output = ByteBuffer()
    output.append("[")
    for (index, element) in list.enumerated() {
      if index > 0 { output.append(",") }
      // The client has closed the connection, or its sending side.
      if Task.isCancelled {
        output.append(
          Rejection.body("The client ended its connection before this request was started.", code: .requestCancelled)
            .array()
        )
        continue
      }
      output.append(await run(element, of: request).array())
      // Other clients are served between two requests.
      await Task.yield()
    }
    output.append("]")
    return .response(format.answer(output, to: request, compressedBy: gzip))
  }

  private func run(_ element: JSONValue, of request: HTTPRequest) async -> ByteBuffer {
    let asked: GraphQLRequest
    do {
      asked = try GraphQLRequest.read(element)
    } catch {
      return Rejection.body(error.message)
    }
    let caller = Caller(request, address: service.address(of: request), keepsRequest: Service.keepsRequest)
    let trace = runner.makeTrace(of: request)
    let note = runner.makeNote(of: request, trace: trace)
    switch await runner.run(asked, from: RequestOrigin(caller: caller, note: note, trace: trace)) {
    case .response(let body): return body
    case .kept(let held): return ByteBuffer(held.response)
    case .failure(let failure): return ErrorResponse.bytes(failure.errors)
    // The runner rejects subscriptions without a sink, and the origin does not accept parts.
    case .subscription: return ErrorResponse.bytes([.internalError])
    case .parts: return ErrorResponse.bytes([.internalError])
    }
  }
}
