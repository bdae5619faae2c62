import EventLoop
import HTTP
import HTTPServer

/// The part of a service that responds outside of the GraphQL endpoint: with pages, pictures and downloads. An
/// application that has such resources implements it.
///
/// A path without a resource must be left to the transport, by returning nil. Whether a caller may see a resource is
/// for the application to check.
package protocol ResourceServing: AnyObject {
  /// Answers a request outside of the endpoint, whatever its method, as a GET; nil if there is no resource at its path.
  /// The answer to a request of another method than GET and HEAD is discarded.
  func answer(_ request: HTTPRequest) async -> HTTPAnswer?

  /// The application's own route for a request outside of the endpoint; nil if its path has no route. Replaces the
  /// transport's resource of the path. Decided by the head: `request` may lack its body.
  func route(of request: HTTPRequest) -> ResourceRoute?

  /// Responds to the form of a page outside of the endpoint; nil if there is no such page.
  func respond(toForm request: HTTPRequest, _ execute: PageExecution) async -> HTTPResponse?

  /// The streamed response to a GET request outside of the endpoint; nil if its path has no such resource.
  func streamedResponse(to request: HTTPRequest, on loop: EventLoop) -> StreamedResponse?
}

/// A response that is sent piece by piece.
package struct StreamedResponse: Sendable {
  package let headers: HeaderBlock
  package let writer: any ResponseStreamWriter

  package init(headers: HeaderBlock, writer: any ResponseStreamWriter) {
    self.headers = headers
    self.writer = writer
  }
}

/// What responds to a request with any method.
package struct ResourceRoute: Sendable {
  /// The methods of the path, as in the header `Allow`.
  package let methods: String
  /// The size of the longest body that is read; nil if the head decides the response.
  package let bodyBytes: Int?
  package let respond: @Sendable (HTTPRequest) async -> HTTPResponse

  package init(
    methods: String,
    bodyBytes: Int?,
    _ respond: @escaping @Sendable (HTTPRequest) async -> HTTPResponse
  ) {
    self.methods = methods
    self.bodyBytes = bodyBytes
    self.respond = respond
  }
}

extension ResourceServing {
  package func route(of request: HTTPRequest) -> ResourceRoute? { nil }
  package func respond(toForm request: HTTPRequest, _ execute: PageExecution) async -> HTTPResponse? { nil }
  package func streamedResponse(to request: HTTPRequest, on loop: EventLoop) -> StreamedResponse? { nil }
}
