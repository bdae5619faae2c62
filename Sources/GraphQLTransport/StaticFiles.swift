import HTTP
import Playground

/// The playground and its files, with precomputed headers.
package struct StaticFiles: Sendable {
  private struct File: Sendable {
    /// A file, plain or compressed with gzip: two representations with different entity tags (RFC 9110, section
    /// 8.8.3.3).
    struct Form: Sendable {
      let bytes: [UInt8]
      let tag: String
      let headers: HeaderBlock
    }

    let plain: Form
    let compressed: Form?
  }

  private var files: [[UInt8]: File] = [:]
  private var playground: File?

  /// Compresses the files, which takes some milliseconds.
  ///
  /// - Parameter page: The page at the endpoint; nil if browsers get none.
  package init(_ assets: [Asset] = [], page: Asset? = nil) {
    for asset in assets where asset.path != page?.path { files[Array(asset.path.utf8)] = Self.file(asset) }
    if let page { replacePage(by: page) }
  }

  /// The same files with another page at the endpoint.
  package mutating func replacePage(by page: Asset) { playground = Self.file(page, isPage: true) }

  private static func file(_ asset: Asset, isPage: Bool = false) -> File {
    let tag = asset.entityTag
    let plain = File.Form(bytes: asset.bytes, tag: tag, headers: headers(for: asset, tag: tag, isPage: isPage))
    guard let bytes = GzipCompressor(.good).compressed(asset.bytes) else { return File(plain: plain, compressed: nil) }
    let compressedTag = String(tag.dropLast()) + "-gzip\""
    let headers = headers(for: asset, tag: compressedTag, isPage: isPage).adding(trusted: "Content-Encoding", "gzip")
    return File(plain: plain, compressed: File.Form(bytes: bytes, tag: compressedTag, headers: headers))
  }

  private static func headers(for asset: Asset, tag: String, isPage: Bool) -> HeaderBlock {
    HeaderBlock(trusted: [
      "Content-Type": asset.mediaType,
      "ETag": tag,
      "Cache-Control": "no-cache",
      // At the path of the endpoint, browsers get the page and API clients a response.
      "Vary": isPage ? "Accept, Accept-Encoding" : "Accept-Encoding",
      "Referrer-Policy": "no-referrer",
      "Content-Security-Policy": asset.securityPolicy,
    ])
  }

  /// The playground, when there is one and the request prefers a page.
  func page(for request: HTTPRequest) -> HTTPResponse? {
    guard let playground, prefersPage(request) else { return nil }
    return Self.response(playground, to: request)
  }

  /// Redirects the addresses that browsers and newcomers try first: `/` to the playground, `/favicon.ico` to its icon.
  func redirect(_ request: HTTPRequest, endpoint: String) -> HTTPResponse? {
    guard playground != nil else { return nil }
    if request.path.equals("/"), prefersPage(request) { return .redirect(to: endpoint) }
    return request.path.equals("/favicon.ico") ? .redirect(to: "\(endpoint)/playground.svg") : nil
  }

  private func prefersPage(_ request: HTTPRequest) -> Bool {
    guard let accept = Accept(request.values(of: .accept)), !request.values(of: .accept).isEmpty,
      let page = MediaType("text/html"), let answer = MediaType("application/graphql-response+json"),
      accept.quality(of: page) > accept.quality(of: answer)
    else { return false }
    return true
  }

  func response(to request: HTTPRequest) -> HTTPResponse? {
    guard let file = files[Array(request.path)] else { return nil }
    return Self.response(file, to: request)
  }

  private static func response(_ file: File, to request: HTTPRequest) -> HTTPResponse {
    var form = file.plain
    if let compressed = file.compressed, AcceptEncoding.prefersGzip(request) { form = compressed }
    if let response = EntityTag.response(toPreconditionsOf: request, tag: form.tag, headers: form.headers) {
      return response
    }
    return HTTPResponse(.ok, headers: form.headers, sharedBody: form.bytes)
  }
}
