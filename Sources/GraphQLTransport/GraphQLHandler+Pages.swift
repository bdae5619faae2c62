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
    let caller = caller(of: request).with(authorization: accessToken.map { ArraySlice("Bearer \($0)".utf8) })
    let outcome = await runner.run(asked, from: runner.makeOrigin(of: request, caller: caller))
    return outcome.wholeResponse().array()
  }
}
