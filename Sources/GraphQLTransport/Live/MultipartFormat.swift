import GraphQL
import HTTP

/// Responses in parts as `multipart/mixed` (GraphQL over HTTP, RFC of incremental delivery).
enum MultipartFormat {
  /// The headers of a response. They name the previous format: Apollo iOS chooses its parser by that name.
  static func headers(for format: IncrementalFormat) -> HeaderBlock {
    format == .previous ? previousHeaders : currentHeaders
  }

  private static let currentHeaders = headers(type: "multipart/mixed; boundary=\"-\"")
  private static let previousHeaders = headers(type: "multipart/mixed; boundary=\"-\"; deferSpec=20220824")

  private static func headers(type: String) -> HeaderBlock {
    HeaderBlock(trusted: [
      "Content-Type": type, "Cache-Control": "private, no-store",
      // Tells proxies that buffer responses not to delay the parts.
      "X-Accel-Buffering": "no",
    ])
  }

  /// Before each part and after the last one. Clients take a part as complete when they have the delimiter after it.
  static let delimiter = Array("\r\n---".utf8)
  /// Ends the delimiter before a part, and is the part's head.
  static let head = Array("\r\nContent-Type: application/json; charset=utf-8\r\n\r\n".utf8)
  /// Ends the last delimiter.
  static let end = Array("--\r\n".utf8)

  /// The format that a client accepts besides a complete response; nil if it accepts only that, or prefers it. A
  /// wildcard does not request parts.
  static func accepted(by request: borrowing HTTPRequest) -> IncrementalFormat? {
    guard request.values(of: .accept).contains(where: { $0.containsIgnoringCase("multipart/mixed") }),
      let accept = Accept(request.values(of: .accept))
    else { return nil }
    // Of equally preferred responses, the client gets parts.
    let least = max(1, ResponseFormat.quality(for: accept))
    if previous.contains(where: { accept.quality(of: $0) >= least }) && acceptsPrevious(request) { return .previous }
    return current.contains { accept.quality(of: $0) >= least } ? .current : nil
  }

  /// The priority of a response in parts.
  /// - Parameters:
  ///   - format: The format that the client accepts, as `accepted(by:)` returned it.
  ///   - accept: What the client accepts.
  static func quality(of format: IncrementalFormat, for accept: Accept) -> Int {
    let types = format == .previous ? previous + current : current
    return types.map { accept.quality(of: $0) }.max() ?? 0
  }

  /// Whether a client names the previous format, in any media type: Apollo's clients do.
  static func acceptsPrevious(_ request: borrowing HTTPRequest) -> Bool {
    request.values(of: .accept).contains { $0.containsIgnoringCase("deferspec=20220824") }
  }

  private static let previous = ["multipart/mixed; deferSpec=20220824"].compactMap { MediaType($0) }
  /// With the names that clients give to the current draft, and without a name.
  private static let current = [
    "multipart/mixed; boundary=\"-\"", "multipart/mixed; incrementalSpec=v0.2",
    "multipart/mixed; incrementalDeliverySpec=3283f8a",
  ].compactMap { MediaType($0) }
}
