import Bytes
import GraphQL
import HTTP
import JSON

/// Several requests in one body: a list of them, answered by the list of their answers. As many as the deployment
/// allows, which is none unless it says so. They are executed one after the other, in their order.
extension GraphQLHandler {
  static func isList(_ body: ArraySlice<UInt8>) -> Bool {
    body.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "[")
  }

  func respondToBatch(_ request: HTTPRequest, _ format: ResponseFormat) async throws -> HTTPResponse {
    let elements = try await read(request.body) { () throws(MalformedRequest) in
      do throws(JSONError) {
        return try JSONDocument(request.body).root.elements.map { Array($0) } ?? []
      } catch {
        throw MalformedRequest("The body is not JSON: \(error.description)")
      }
    }
    guard !elements.isEmpty else { throw MalformedRequest("The list has no request.") }
    guard elements.count <= batchSize else {
      throw MalformedRequest("A list has \(batchSize) requests at most, not \(elements.count).")
    }
    var output = ByteBuffer()
    output.append("[")
    for (place, element) in elements.enumerated() {
      if place > 0 { output.append(",") }
      // The client has gone, or has ended its side of the connection.
      if Task.isCancelled {
        output.append(
          Refusal.body("The client ended its connection before this request was started.", .requestCancelled).array()
        )
        continue
      }
      output.append(await answer(to: element, of: request).array())
      // Others are served between two requests.
      await Task.yield()
    }
    output.append("]")
    return format.answer(output, to: request)
  }

  private func answer(to element: JSONValue, of request: HTTPRequest) async -> ByteBuffer {
    do throws(MalformedRequest) {
      let asked = try GraphQLRequest(element)
      switch await execute(asked, of: request) {
      case .executed(let body): return body
      case .refused(let refused):
        metrics.count(.refusal)
        return ErrorResponse.bytes(refused.errors)
      case .mutationByGet: return Refusal.body("GET can only ask queries: send mutations by POST.", .methodNotAllowed)
      case .overloaded: return ErrorResponse.bytes([.overloaded])
      case .failed: return Refusal.body("Something went wrong on our side.", .internalError)
      }
    } catch {
      return Refusal.body(error.message)
    }
  }
}
