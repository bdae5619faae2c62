import Bytes
import GraphQL
import HTTP
import HTTPServer
import JSON

/// Several requests in one body: a list of them, answered by the list of their answers. As many as the deployment
/// allows, which is none unless it says so. They are executed one after the other, in their order.
extension GraphQLHandler {
  func run(_ list: [JSONValue], of request: HTTPRequest, _ format: ResponseFormat) async -> HTTPAnswer {
    guard !list.isEmpty else { return .response(Refusal.badRequest("The list has no request.", format)) }
    guard list.count <= batchSize else {
      let message = "A list has \(batchSize) requests at most, not \(list.count)."
      return .response(Refusal.badRequest(message, format))
    }
    var output = ByteBuffer()
    output.append("[")
    for (index, element) in list.enumerated() {
      if index > 0 { output.append(",") }
      // The client has gone, or has ended its side of the connection.
      if Task.isCancelled {
        output.append(
          Refusal.body("The client ended its connection before this request was started.", .requestCancelled).array()
        )
        continue
      }
      output.append(await run(element, of: request).array())
      // Others are served between two requests.
      await Task.yield()
    }
    output.append("]")
    return .response(format.answer(output, to: request))
  }

  private func run(_ element: JSONValue, of request: HTTPRequest) async -> ByteBuffer {
    let asked: GraphQLRequest
    do {
      asked = try GraphQLRequest(element)
    } catch {
      return Refusal.body(error.message)
    }
    let caller = Caller(request, address: service.address(of: request), keepsRequest: Service.keepsRequest)
    switch await runner.run(asked, from: RequestOrigin(caller: caller)) {
    case .response(let body): return body
    case .failure(let failure): return ErrorResponse.bytes(failure.errors)
    // The runner refuses subscriptions that have no sink.
    case .subscription: return ErrorResponse.bytes([.ourFault])
    }
  }
}
