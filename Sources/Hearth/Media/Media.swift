import Bytes
import EventLoop
import GraphQL
import GraphQLTransport
import HTTP
import HTTPServer
import Logging
import Pictures

/// Serves pictures below `/media`: placeholders and uploads.
enum Media {
  private static let maximumPathBytes = 512

  static func answer(
    _ request: HTTPRequest,
    from client: ClientNetwork?,
    _ pictures: PictureStore,
    log: Logger
  ) async -> HTTPAnswer? {
    // No picture has so long an address, and splitting one of 16 KB takes the loop a while.
    guard request.path.count <= maximumPathBytes else { return nil }
    let path = request.path.text.dropFirst("/media/".count)
    if let placeholder = Placeholder(path: String(path)) { return .response(drawing(placeholder)) }
    guard let address = PictureAddress(path: path, signedWith: pictures.signingKey) else { return nil }
    do {
      guard let served = try await pictures.find(address, for: client) else { return nil }
      return answer(request, with: served, at: address) { part, status, headers in
        do {
          if let bytes = try await pictures.load(part, of: served, for: client)?.take() {
            return HTTPResponse(status, headers: headers, body: bytes)
          }
          // The size has been removed from the cache, or the picture with what it belonged to. A new request finds out.
          return .temporary(.serviceUnavailable, text: "The picture is being changed: try again in a few seconds.\n")
        } catch {
          return response(to: error, log: log)
        }
      }
    } catch {
      return .response(response(to: error, log: log))
    }
  }

  private static func response(to error: any Error, log: Logger) -> HTTPResponse {
    if error is WorkerPool.Overloaded {
      return .temporary(
        .serviceUnavailable,
        text: "Too many pictures are being requested: try again in a few seconds.\n"
      )
    }
    log.error("A picture could not be read.", metadata: ["error": "\(error)"])
    return .text(.internalServerError, text: "\(GraphQLError.internalErrorMessage)\n")
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
  ///   - address: what was requested.
  ///   - load: makes the response with a part of the picture.
  private static func answer(
    _ request: HTTPRequest,
    with served: PictureStore.Served,
    at address: PictureAddress,
    load: @escaping @Sendable (Range<Int>, HTTPStatus, HeaderBlock) async -> HTTPResponse
  ) -> HTTPAnswer {
    let (found, count) = (served.address, served.byteCount)
    let tag = "\"\(found.hash.hexadecimal)\(found.size.map { "-\($0.rawValue)" } ?? "")\""
    // The content of a URL never changes, unless it stands in for a size that can be made later. Only those who know
    // the URL may cache it, so shared caches must not.
    let lifetime = found == address ? "max-age=31536000, immutable" : "max-age=300"
    let headers = HeaderBlock(trusted: [
      "Content-Type": found.format.contentType,
      "ETag": tag,
      "Cache-Control": "private, \(lifetime)",
      "Accept-Ranges": "bytes",
      "Content-Security-Policy": "default-src 'none'; sandbox",
    ])
    if let response = EntityTag.response(toPreconditionsOf: request, tag: tag, headers: headers) {
      return .response(response)
    }
    // Ranges apply to GET only (RFC 9110, section 14.2).
    guard request.method == .get else {
      return .response(HTTPResponse(.ok, headers: headers, omittedBody: count))
    }
    let range = EntityTag.allowsRange(tag, ifRange: request[.ifRange]) ? request[.range] : nil
    switch ByteRangeRequest(range, of: count) {
    case .whole:
      return .deferred(holding: count) { _ in .response(await load(0..<count, .ok, headers)) }
    case .part(let part):
      let contentRange = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(count)"
      let headers = headers.adding(trusted: "Content-Range", contentRange)
      return .deferred(holding: part.count) { _ in .response(await load(part, .partialContent, headers)) }
    case .unsatisfiable:
      return .response(
        HTTPResponse(
          .rangeNotSatisfiable,
          headers: HeaderBlock(trusted: ["Content-Range": "bytes */\(count)", "Cache-Control": "no-store"])
        )
      )
    }
  }
}
