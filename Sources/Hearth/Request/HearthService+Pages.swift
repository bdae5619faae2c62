import EventLoop
import GraphQLTransport
import HTTP
import HTTPServer

/// What is served outside of the GraphQL endpoint: account pages, pictures and exports.
extension HearthService {
  package func answer(_ request: HTTPRequest) async -> HTTPAnswer? {
    if let page = pages.page(of: request) { return .response(pages.response(page, to: request)) }
    guard request.path.starts(with: "/media/".utf8) else { return nil }
    let client = address(of: request).flatMap { ClientNetwork($0) }
    return await Media.answer(request, from: client, services.pictures, log: services.log)
  }

  package func respond(toForm request: HTTPRequest, _ execute: PageExecution) async -> HTTPResponse? {
    guard let page = pages.page(of: request) else { return nil }
    return await pages.response(page, toForm: request, execute)
  }

  package func streamedResponse(to request: HTTPRequest, on loop: EventLoop) -> StreamedResponse? {
    guard request.path.starts(with: "/export/".utf8) else { return nil }
    for stream in services.streams {
      if let response = stream(request, loop, services) { return response }
    }
    return nil
  }
}
