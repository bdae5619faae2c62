import Bytes
import GraphQLTransport
import HTTP

/// Pictures, below `/media`.
enum Media {
  static func response(to request: HTTPRequest) -> HTTPResponse? {
    guard let placeholder = Placeholder(path: String(request.path.text.dropFirst("/media/".count))) else { return nil }
    let svg = placeholder.svg
    var body = ByteBuffer(capacity: svg.utf8.count)
    body.append(svg)
    return HTTPResponse(.ok, headers: drawing, body: body)
  }

  /// A drawing is made of nothing but its path, so it never changes; and it may do nothing but be looked at.
  private static let drawing = HeaderBlock(fixed: [
    "Content-Type": "image/svg+xml",
    "Cache-Control": "public, max-age=31536000, immutable",
    "Content-Security-Policy": "default-src 'none'",
    "X-Content-Type-Options": "nosniff",
  ])
}
