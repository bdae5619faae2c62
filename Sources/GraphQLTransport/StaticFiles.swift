import Assets
import Bytes
import HTTP

/// The files that are part of the program, each with its headers made once.
package struct StaticFiles: Sendable {
  private struct File: Sendable {
    let asset: Asset
    let headers: HeaderBlock
  }

  private let files: [[UInt8]: File]
  private let playground: File

  /// `page` is the playground's.
  package init(page: Asset = .playgroundPage) {
    playground = Self.file(page)
    var files: [[UInt8]: File] = [:]
    for asset in Asset.all where asset.path != page.path { files[Array(asset.path.utf8)] = Self.file(asset) }
    self.files = files
  }

  private static func file(_ asset: Asset) -> File {
    let headers = HeaderBlock(fixed: [
      "Content-Type": asset.mediaType,
      "ETag": asset.entityTag,
      "Cache-Control": "no-cache",
      "X-Content-Type-Options": "nosniff",
      "Referrer-Policy": "no-referrer",
      "Content-Security-Policy": Asset.playgroundSecurityPolicy,
    ])
    // At the endpoint's own path a program gets an answer, and a browser the page.
    return File(asset: asset, headers: asset.path == "/graphql" ? headers.adding(fixed: "Vary", "Accept") : headers)
  }

  /// The playground, for those who ask for a page.
  func page(for request: HTTPRequest) -> HTTPResponse? {
    guard let accept = Accept(request.values(of: .accept)), !request.values(of: .accept).isEmpty,
      let page = MediaType("text/html"), let answer = MediaType("application/graphql-response+json"),
      accept.quality(of: page) > accept.quality(of: answer)
    else { return nil }
    return Self.response(playground, to: request)
  }

  func response(to request: HTTPRequest) -> HTTPResponse? {
    guard let file = files[Array(request.path)] else { return nil }
    return Self.response(file, to: request)
  }

  private static func response(_ file: File, to request: HTTPRequest) -> HTTPResponse {
    if let known = request[.ifNoneMatch], known.equals("*") || known.text.contains(file.asset.entityTag) {
      return HTTPResponse(.notModified, headers: file.headers)
    }
    var body = ByteBuffer(capacity: file.asset.bytes.count)
    body.append(file.asset.bytes)
    return HTTPResponse(.ok, headers: file.headers, body: body)
  }
}
