import HTTP

/// The bytes of one connection. They yield the same requests however they are split, and the parser keeps no
/// more than its limits allow.
enum HTTPTarget {
  private static let tight = HTTPLimits {
    $0.requestLineBytes = 64
    $0.headerBytes = 256
    $0.headerCount = 6
    $0.bodyBytes = 32
    $0.formBytes = 96
    $0.chunkExtensionBytes = 12
    $0.pipelinedBytes = 64
  }

  /// Returns whether the input is requests only.
  static func check(_ input: [UInt8]) throws -> Bool {
    var isAccepted = false
    for limits in [tight, HTTPLimits { $0.formBytes = 2 << 20 }] {
      let whole = try Outcome(of: input, inPiecesOf: { input.count }, limits)
      var sizes = PieceSizes(of: input)
      let pieces = try Outcome(of: input, inPiecesOf: { sizes.next(atMost: 40) }, limits)
      try require(pieces == whole, "Pieces change the requests: \(whole) became \(pieces).")
      let bytewise = try Outcome(of: input, inPiecesOf: { 1 }, limits)
      try require(bytewise == whole, "Single bytes change the requests: \(whole) became \(bytewise).")
      if whole.isAccepted { isAccepted = true }
    }
    return isAccepted
  }

  private struct Outcome: Equatable {
    private var requests: [String] = []
    private var failure: String?

    var isAccepted: Bool { failure == nil && !requests.isEmpty }

    init(of input: [UInt8], inPiecesOf size: () -> Int, _ limits: HTTPLimits) throws {
      var parser = RequestParser(limits: limits)
      let memory = ParserMemory()
      var at = 0
      while at < input.count {
        let end = min(at + size(), input.count)
        input[at..<end].withUnsafeBytes { parser.receive($0) }
        try drain(&parser, memory, limits)
        // The framing of chunks and the end of a line may come on top of what the limits count.
        let most = limits.requestLineBytes + 2 * limits.headerBytes + max(limits.bodyBytes, limits.formBytes) + 2048
        try require(
          parser.bufferedBytes <= most + (end - at),
          "The parser keeps \(parser.bufferedBytes) bytes, and \(most) are enough."
        )
        at = end
      }
    }

    private mutating func drain(_ parser: inout RequestParser, _ memory: ParserMemory, _ limits: HTTPLimits) throws {
      while true {
        switch parser.next(memory) {
        case .needsMore: return
        case .expectsContinue: continue
        case .wantsAdmission: parser.admit()
        case .request(let request):
          try require(failure == nil, "A request follows a failure.")
          try require(request.body.count <= max(limits.bodyBytes, limits.formBytes), "The body is too long.")
          try require(request.headerCount <= limits.headerCount, "There are too many header lines.")
          requests.append(try description(of: request))
        case .bodyTooLong(_, let failed), .failure(let failed):
          try require((400...599).contains(failed.status.code), "A failure has the status \(failed.status.code).")
          failure = "\(failed.status.code) \(failed.code)"
          return
        }
      }
    }

    /// All parts of a parsed request, including the values of interpreted headers.
    private func description(of request: HTTPRequest) throws -> String {
      var text = "\(request.methodText) \(request.targetText) \(request.version) \(request.keepAlive) \(request.body)"
      request.forEachHeader { name, value in
        text += " \(String(decoding: name, as: UTF8.self)): \(String(decoding: value, as: UTF8.self))"
      }
      text += " \(String(describing: request.host)) \(request.asksToUpgrade)"
      if let query = request.query { text += " \(String(describing: try? FormFields(query)))" }
      if let type = request[.contentType] { text += " \(String(describing: MediaType(type)))" }
      text += " \(AcceptEncoding.prefersGzip(request))"
      let offers = ["application/json", "text/event-stream"].compactMap { MediaType($0) }
      text += " \(String(describing: Accept(request.values(of: .accept))?.preferred(among: offers)))"
      text += " \(EntityTag.isNamed("\"a\"", by: request.values(of: .ifMatch), comparison: .strong))"
      text += " \(EntityTag.isNamed("\"a\"", by: request.values(of: .ifNoneMatch), comparison: .weak))"
      if case .part(let range) = ByteRangeRequest(request[.range], of: 1000) {
        try require(!range.isEmpty && range.upperBound <= 1000, "The range \(range) is not within 1000 bytes.")
      }
      return text
    }
  }
}

extension HTTPLimits {
  /// The default limits, changed.
  fileprivate init(_ change: (inout HTTPLimits) -> Void) {
    self.init()
    change(&self)
  }
}
