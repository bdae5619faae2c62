import GraphQL
import HTTP
import HTTPServer
import JSON

/// A batch: a list of requests in one body, which gets a list of responses. The requests are executed one after the
/// other, in their order. Deployments allow batches by a setting; the default is none.
///
/// The responses have the limit of one response together, past which no further request is executed.
extension GraphQLHandler {
  func runBatch(_ list: [JSONValue], of request: HTTPRequest, in format: ResponseFormat) async -> HTTPAnswer {
    guard !list.isEmpty else {
      return reject(BadRequestError("The list of requests is empty."), of: request, in: format)
    }
    guard list.count <= options.batchSize else {
      let message = "A list can have at most \(options.batchSize) requests, not \(list.count)."
      return reject(BadRequestError(message), of: request, in: format)
    }
    guard request[.idempotencyKey] == nil else {
      let message = "The requests of a list have a key each, in `extensions.idempotencyKey`, not one in the header."
      return reject(BadRequestError(message), of: request, in: format)
    }
    return await proceed(with: BatchRun(list), of: request, in: format)
  }

  /// Executes the requests that are left. Once there are many bytes of responses, they count as unsent: the connection
  /// reserves them before the next request is executed, and ends the batch if there is no room for them.
  private func proceed(with batch: BatchRun, of request: HTTPRequest, in format: ResponseFormat) async -> HTTPAnswer {
    while let element = batch.next() {
      // Other clients are served between two requests.
      if !batch.isAtFirst { await Task.yield() }
      await runBatchElement(element, of: request, into: batch)
      if let bytes = batch.countUnsent() {
        return .deferred(holding: bytes) { request in await self.proceed(with: batch, of: request, in: format) }
      }
    }
    return respond(with: batch.takeResponses(), to: request, in: format)
  }

  private func runBatchElement(_ element: JSONValue, of request: HTTPRequest, into batch: BatchRun) async {
    // The client has closed the connection, or its sending side.
    if Task.isCancelled {
      let message = "The client ended its connection before this request was started."
      return batch.append(Rejection.body(message, code: .requestCancelled))
    }
    let limit = options.limits.execution.responseBytes
    guard batch.byteCount < limit else {
      let message = "The request was not executed: the responses before it in the list have \(limit) bytes or more."
      return batch.append(Rejection.body(message, code: .responseTooLarge))
    }
    let asked: GraphQLRequest
    do {
      asked = try GraphQLRequest.read(element)
    } catch {
      return batch.append(Rejection.body(error.message))
    }
    let outcome = await runner.run(asked, from: runner.makeOrigin(of: request, caller: caller(of: request)))
    batch.append(outcome.wholeResponse())
  }
}
