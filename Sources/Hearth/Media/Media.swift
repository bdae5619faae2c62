import Bytes
import EventLoop
import GraphQL
import GraphQLTransport
import HTTP
import Logging
import Pictures

/// Serves pictures below `/media`: placeholders and uploads.
enum Media {
  private static let maximumPathBytes = 512

  static func response(
    to request: HTTPRequest,
    from client: ClientNetwork?,
    _ pictures: PictureStore,
    log: Logger
  ) async -> HTTPResponse? {
    // No picture has so long an address, and splitting one of 16 KB takes the loop a while.
    guard request.path.count <= maximumPathBytes else { return nil }
    let path = request.path.text.dropFirst("/media/".count)
    if let placeholder = Placeholder(path: String(path)) { return drawing(placeholder) }
    guard let address = PictureAddress(path: path, signedWith: pictures.signingKey) else { return nil }
    do {
      guard let served = try await pictures.serve(address, to: client) else { return nil }
      return picture(served.content, of: served.address, at: address, to: request)
    } catch is WorkerPool.Overloaded {
      return .text(.serviceUnavailable, text: "Too many pictures are being requested: try again in a few seconds.\n")
    } catch {
      log.error("A picture could not be read.", metadata: ["error": "\(error)"])
      return .text(.internalServerError, text: "\(GraphQLError.internalErrorMessage)\n")
    }
  }

  private static func drawing(_ placeholder: Placeholder) -> HTTPResponse {
    let svg = placeholder.svg
    var body = ByteBuffer(capacity: svg.utf8.count)
    body.append(svg)
    return HTTPResponse(.ok, headers: drawing, body: body)
  }

  /// The path determines the whole drawing, so it never changes. The policy allows it to be displayed only.
  private static let drawing = HeaderBlock(trusted: [
    "Content-Type": "image/svg+xml",
    "Cache-Control": "public, max-age=31536000, immutable",
    "Content-Security-Policy": "default-src 'none'",
  ])

  /// - Parameters:
  ///   - served: what the content is.
  ///   - address: what was requested.
  private static func picture(
    _ content: [UInt8],
    of served: PictureAddress,
    at address: PictureAddress,
    to request: HTTPRequest
  ) -> HTTPResponse {
    let tag = "\"\(served.hash.hexadecimal)\(served.size.map { "-\($0.rawValue)" } ?? "")\""
    // The content of a URL never changes, unless it stands in for a size that can be made later. Only those who know
    // the URL may cache it, so shared caches must not.
    let lifetime = served == address ? "max-age=31536000, immutable" : "max-age=300"
    let headers = HeaderBlock(trusted: [
      "Content-Type": served.format.contentType,
      "ETag": tag,
      "Cache-Control": "private, \(lifetime)",
      "Accept-Ranges": "bytes",
      "Content-Security-Policy": "default-src 'none'; sandbox",
    ])
    if EntityTag.isNamed(tag, by: request.values(of: .ifNoneMatch)) {
      return HTTPResponse(.notModified, headers: headers)
    }
    // Ranges apply to GET only (RFC 9110, section 14.2).
    let range = request.method == .get && EntityTag.allowsRange(tag, ifRange: request[.ifRange]) ? request[.range] : nil
    switch ByteRangeRequest(range, of: content.count) {
    case .whole: return HTTPResponse(.ok, headers: headers, body: buffer(content[...]))
    case .part(let part):
      let contentRange = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(content.count)"
      return HTTPResponse(
        .partialContent,
        headers: headers.adding(trusted: "Content-Range", contentRange),
        body: buffer(content[part])
      )
    case .unsatisfiable:
      return HTTPResponse(
        .rangeNotSatisfiable,
        headers: HeaderBlock(trusted: ["Content-Range": "bytes */\(content.count)", "Cache-Control": "no-store"])
      )
    }
  }

  private static func buffer(_ content: ArraySlice<UInt8>) -> ByteBuffer {
    var body = ByteBuffer(capacity: content.count)
    body.append(content)
    return body
  }
}
