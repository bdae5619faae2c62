import Bytes
import GraphQL
import HTTP
import HTTPServer

/// Forms of pages outside of the endpoint. Their operations run like all others: with the same limits, rights and log.
extension GraphQLHandler {
  func respondToForm(_ request: HTTPRequest) async -> HTTPResponse? {
    await service.respond(toForm: request) { body, accessToken in
      await self.execute(body, accessToken: accessToken, inNameOf: request)
    }
  }

  private func execute(
    _ body: [UInt8],
    accessToken: String?,
    inNameOf request: HTTPRequest
  ) async -> [UInt8] {
    guard let asked = try? GraphQLRequest.read(json: body[...]) else { return [] }
    let caller = Caller(request, address: service.address(of: request), keepsRequest: Service.keepsRequest)
      .with(authorization: accessToken.map { ArraySlice("Bearer \($0)".utf8) })
    let trace = runner.makeTrace(of: request)
    let note = runner.makeNote(of: request, trace: trace)
    let origin = RequestOrigin(caller: caller, note: note, trace: trace)
    switch await runner.run(asked, from: origin) {
    case .response(let response): return response.withUnsafeBytes { Array($0) }
    case .kept(let held): return held.response
    case .failure(let failure): return ErrorResponse.bytes(failure.errors).withUnsafeBytes { Array($0) }
    // The runner rejects subscriptions without a sink, and the origin does not accept parts.
    case .subscription: return []
    case .parts: return []
    }
  }
}
