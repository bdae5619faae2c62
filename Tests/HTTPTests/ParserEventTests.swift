import HTTP
import Testing

@Suite("RequestParser's events")
struct ParserEventTests {
  private func events(_ parts: String...) -> [String] {
    var parser = RequestParser()
    let memory = ParserMemory()
    return parts.map { part in
      Array(part.utf8).withUnsafeBytes { parser.receive($0) }
      return name(parser.next(memory))
    }
  }

  private func name(_ event: RequestParser.Event) -> String {
    switch event {
    case .needsMore: "needsMore"
    case .expectsContinue: "expectsContinue"
    case .wantsAdmission: "wantsAdmission"
    case .request: "request"
    case .bodyTooLong(_, let failure), .failure(let failure): failure.code
    }
  }

  @Test func `request 100 Continue once, when the head is complete and the body has not begun`() {
    let head = "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\n"
    #expect(
      events("\(head)Content-Length: 2\r\n", "\r\n", "h", "i") == [
        "needsMore", "expectsContinue", "needsMore", "request",
      ]
    )
    #expect(events("\(head)Content-Length: 2\r\n\r\nh", "i") == ["needsMore", "request"])
    #expect(events("\(head)Content-Length: 0\r\n\r\n") == ["request"])
    #expect(events("\(head)\r\n") == ["request"])
    #expect(events("\(head)Transfer-Encoding: chunked\r\n\r\n", "0\r\n\r\n") == ["expectsContinue", "request"])
    #expect(events("\(head)Content-Length: 99999999\r\n\r\n") == ["BODY_TOO_LONG"])
  }

  /// Events of a parser that reads 4 bytes without admission, which is given where it is wanted.
  private func admittedEvents(_ parts: String...) -> [String] {
    var parser = RequestParser(limits: HTTPLimits { ($0.bodyBytes, $0.unadmittedBytes) = (10, 4) })
    let memory = ParserMemory()
    var events: [String] = []
    for part in parts {
      Array(part.utf8).withUnsafeBytes { parser.receive($0) }
      var event = name(parser.next(memory))
      events.append(event)
      guard event == "wantsAdmission" else { continue }
      event = name(parser.next(memory))
      #expect(event == "needsMore")
      parser.admit()
      events.append(name(parser.next(memory)))
    }
    return events
  }

  @Test func `want admission for a long body, at its head or when it has become long`() {
    let head = "POST / HTTP/1.1\r\nHost: a\r\n"
    #expect(admittedEvents("\(head)Content-Length: 4\r\n\r\n", "abcd") == ["needsMore", "request"])
    #expect(
      admittedEvents("\(head)Content-Length: 5\r\n\r\n", "abcde") == ["wantsAdmission", "needsMore", "request"]
    )
    #expect(admittedEvents("\(head)Content-Length: 5\r\n\r\nabcde") == ["wantsAdmission", "request"])
    #expect(
      admittedEvents("\(head)Expect: 100-continue\r\nContent-Length: 5\r\n\r\n", "abcde") == [
        "wantsAdmission", "expectsContinue", "request",
      ]
    )
    #expect(admittedEvents("\(head)Content-Length: 11\r\n\r\n") == ["BODY_TOO_LONG"])
    let chunked = "\(head)Transfer-Encoding: chunked\r\n\r\n"
    #expect(admittedEvents(chunked, "4\r\nabcd\r\n", "0\r\n\r\n") == ["needsMore", "needsMore", "request"])
    #expect(
      admittedEvents(chunked, "4\r\nabcd\r\n", "1\r\n", "e\r\n", "3\r\nfgh\r\n", "0\r\n\r\n") == [
        "needsMore", "needsMore", "wantsAdmission", "needsMore", "needsMore", "needsMore", "request",
      ]
    )
    #expect(
      admittedEvents(chunked, "4\r\nabcd\r\n", "6\r\nefghij\r\n", "1\r\n") == [
        "needsMore", "needsMore", "wantsAdmission", "needsMore", "BODY_TOO_LONG",
      ]
    )
  }

  @Test func `do not request 100 Continue in HTTP/1.0`() {
    let head = "POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"
    #expect(events(head, "hi") == ["needsMore", "request"])
  }

  @Test func `stay at a failure whatever follows`() {
    #expect(
      events("GET / HTTP/3.0\r\n", "GET / HTTP/1.1\r\nHost: a\r\n\r\n", "")
        == Array(repeating: "UNSUPPORTED_VERSION", count: 3)
    )
  }

  @Test func `have different phases for timers`() {
    var parser = RequestParser()
    var progress = [parser.progress]
    for part in ["POST / HTTP/1.1\r\n", "Host: a\r\nContent-Length: 2\r\n\r\nh", "i"] {
      Array(part.utf8).withUnsafeBytes { parser.receive($0) }
      _ = parser.next(ParserMemory())
      progress.append(parser.progress)
    }
    #expect(progress == [.idle, .head, .body, .idle])
  }

  @Test func `leave to another protocol what follows an upgrade`() {
    var parser = RequestParser()
    let sent = Array("GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n\r\n\u{1}\u{2}".utf8)
    sent.withUnsafeBytes { parser.receive($0) }
    let event = name(parser.next(ParserMemory()))
    #expect(event == "request")
    let remainders = [parser.takeRemainder(), parser.takeRemainder()]
    #expect(remainders == [[1, 2], []])
  }

  @Test func `have a message and a line for every reason`() {
    for reason in HTTPFailure.Reason.allCases {
      let failure = HTTPFailure(reason, line: 3, limit: 9)
      #expect(failure.message.hasSuffix(". The limit is 9. (Line 3 of the request's head.)"))
      #expect((400...505).contains(failure.status.code))
      #expect(!failure.status.reasonPhrase.description.isEmpty)
    }
  }

  /// A connection reads its heads into one table, but not while a request still has it. The second has fewer headers.
  @Test func `read a request while the one before still exists, each with its own headers`() throws {
    let memory = ParserMemory()
    var parser = RequestParser()
    var requests: [HTTPRequest] = []
    for sent in ["Accept: text/plain\r\nCookie: b\r\n", "Origin: c\r\n"] {
      Array("GET / HTTP/1.1\r\nHost: a\r\n\(sent)\r\n".utf8).withUnsafeBytes { parser.receive($0) }
      guard case .request(let request) = parser.next(memory) else { throw NotARequest() }
      requests.append(request)
    }
    let first = ["Host: a", "Accept: text/plain", "Cookie: b"]
    #expect(requests.map { headers(of: $0) } == [first, ["Host: a", "Origin: c"]])
    #expect(requests.last?.has(.cookie) == false)
  }

  /// Each request is released before the next one, which is read into the same table.
  @Test func `forget the headers of a request that is finished`() throws {
    let memory = ParserMemory()
    var parser = RequestParser()
    var seen: [[String]] = []
    for sent in ["Accept: text/plain\r\nCookie: b\r\nX-D: e\r\n", "Origin: c\r\n", ""] {
      Array("GET / HTTP/1.1\r\nHost: a\r\n\(sent)\r\n".utf8).withUnsafeBytes { parser.receive($0) }
      guard case .request(let request) = parser.next(memory) else { throw NotARequest() }
      #expect(request["x-d"] == nil || sent.contains("X-D"))
      seen.append(headers(of: request))
      #expect(request.headerCount == seen.last?.count)
    }
    let all = ["Host: a", "Accept: text/plain", "Cookie: b", "X-D: e"]
    #expect(seen == [all, ["Host: a", "Origin: c"], ["Host: a"]])
  }

  @Test func `use the bytes of a finished request again, unless they are still in use`() throws {
    let memory = ParserMemory()
    func request(_ path: String) throws -> HTTPRequest {
      var parser = RequestParser()
      Array("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n".utf8).withUnsafeBytes { parser.receive($0, with: memory) }
      guard case .request(let request) = parser.next(memory) else { throw NotARequest() }
      return request
    }
    func address(of request: HTTPRequest) -> Int { request.bytes.withUnsafeBytes { Int(bitPattern: $0.baseAddress) } }
    var first = try request("/first-of-all")
    let place = address(of: first)
    memory.takeBytes(of: &first)
    var second = try request("/second")
    #expect(address(of: second) == place)
    let held = second.path
    memory.takeBytes(of: &second)
    let third = try request("/third")
    #expect(held.text == "/second")
    #expect(third.path.text == "/third")
  }

  private struct NotARequest: Error {}

  private func headers(of request: HTTPRequest) -> [String] {
    var lines: [String] = []
    request.forEachHeader { lines.append("\($0.text): \($1.text)") }
    return lines
  }
}
