import HTTP

/// The events of a parser in a comparable and readable form.
struct Outcome: Equatable, CustomStringConvertible {
  /// `POST /graphql 'body'` for a request, `400 CODE` for a failure.
  var events: [String] = []
  var requests: [HTTPRequest] = []
  var failure: HTTPFailure?

  static func == (one: Outcome, other: Outcome) -> Bool { one.events == other.events && one.failure == other.failure }
  var description: String { events.description }

  /// Feeds `bytes` in pieces that end at each of `cuts`, and at the end.
  init(of bytes: [UInt8], cutAt cuts: [Int] = [], limits: HTTPLimits = HTTPLimits()) {
    var parser = RequestParser(limits: limits)
    let memory = ParserMemory()
    var from = 0
    for cut in cuts + [bytes.count] where cut > from {
      bytes[from..<cut].withUnsafeBytes { parser.receive($0) }
      from = cut
      drain(&parser, memory)
    }
  }

  init(of text: String, limits: HTTPLimits = HTTPLimits()) {
    self.init(of: Array(text.utf8), limits: limits)
  }

  private mutating func drain(_ parser: inout RequestParser, _ memory: ParserMemory) {
    while true {
      switch parser.next(memory) {
      case .needsMore: return
      case .expectsContinue: continue
      case .wantsAdmission: parser.admit()
      case .request(let request):
        events.append(Self.describe(request))
        requests.append(request)
      case .bodyTooLong(_, let failure), .failure(let failure):
        if self.failure == nil { events.append("\(failure.status.code) \(failure.code)") }
        self.failure = failure
        return
      }
    }
  }

  private static func describe(_ request: HTTPRequest) -> String {
    "\(request.methodText) \(request.targetText) '\(String(decoding: request.body, as: UTF8.self))'"
  }
}
