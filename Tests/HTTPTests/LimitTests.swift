import HTTP
import Testing

@Suite("HTTPLimits")
struct LimitTests {
  /// Checks the outcome of a request that exceeds a limit by `excess`.
  private func check(_ limits: HTTPLimits, _ code: String, _ request: (_ excess: Int) -> String) {
    for excess in -1...1 {
      let bytes = Array(request(excess).utf8)
      for cuts in [[], Array(1..<bytes.count)] {
        let outcome = Outcome(of: bytes, cutAt: cuts, limits: limits)
        if excess > 0 {
          #expect(outcome.events == [code], "\(excess) past the limit, \(cuts.count) cuts")
        } else {
          #expect(outcome.requests.count == 1, "\(excess) past the limit, \(cuts.count) cuts: \(outcome)")
        }
      }
    }
  }

  private func run(_ count: Int) -> String { String(repeating: "a", count: count) }

  @Test func `of the request line is reported as 414`() {
    check(HTTPLimits { $0.requestLineBytes = 30 }, "414 REQUEST_LINE_TOO_LONG") { excess in
      "GET /\(run(16 + excess)) HTTP/1.1\r\nHost: a\r\n\r\n"
    }
  }

  @Test func `of all headers together is reported as 431`() {
    check(HTTPLimits { $0.headerBytes = 40 }, "431 HEADERS_TOO_LONG") { excess in
      "GET / HTTP/1.1\r\nHost: a\r\nAbcd: \(run(23 + excess))\r\n\r\n"
    }
  }

  @Test func `of the number of headers is reported as 431`() {
    check(HTTPLimits { $0.headerCount = 5 }, "431 TOO_MANY_HEADERS") { excess in
      "GET / HTTP/1.1\r\nHost: a\r\n\(String(repeating: "A: b\r\n", count: 4 + excess))\r\n"
    }
  }

  @Test func `of a declared body is reported as 413 before the body arrives`() {
    check(HTTPLimits { $0.bodyBytes = 10 }, "413 BODY_TOO_LONG") { excess in
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(10 + excess)\r\n\r\n\(excess > 0 ? "" : run(10 + excess))"
    }
  }

  @Test func `of a chunked body is reported as 413 at the chunk that exceeds it`() {
    check(HTTPLimits { $0.bodyBytes = 10 }, "413 BODY_TOO_LONG") { excess in
      let last = 4 + excess
      return "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nhello,\r\n"
        + "\(last)\r\n\(excess > 0 ? "" : run(last) + "\r\n0\r\n\r\n")"
    }
  }

  @Test func `of chunk extensions is for a whole body`() {
    check(HTTPLimits { $0.chunkExtensionBytes = 8 }, "400 CHUNK_EXTENSIONS_TOO_LONG") { excess in
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1;aaa\r\nb\r\n1;\(run(3 + excess))\r\nb\r\n0\r\n\r\n"
    }
  }

  @Test func `of trailers is that of headers`() {
    let head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"
    check(HTTPLimits { $0.headerBytes = 50 }, "431 HEADERS_TOO_LONG") { excess in
      "\(head)A: \(run(45 + excess))\r\n\r\n"
    }
    check(HTTPLimits { $0.headerCount = 3 }, "431 TOO_MANY_HEADERS") { excess in
      "\(head)\(String(repeating: "A: b\r\n", count: 3 + excess))\r\n"
    }
  }

  @Test func `is reported before the end of the line arrives`() {
    let limits = HTTPLimits { ($0.requestLineBytes, $0.headerBytes) = (30, 40) }
    #expect(Outcome(of: "GET /\(run(40))", limits: limits).events == ["414 REQUEST_LINE_TOO_LONG"])
    let head = "GET / HTTP/1.1\r\nA: \(run(60))"
    #expect(Outcome(of: head, limits: limits).events == ["431 HEADERS_TOO_LONG"])
  }

  @Test func `is named in the message, with the line`() {
    let failure = Outcome(of: "GET / HTTP/1.1\r\nHost: a\r\nA: \(run(60))", limits: HTTPLimits { $0.headerBytes = 40 })
      .failure
    #expect(failure?.limit == 40)
    #expect(failure?.line == 3)
    #expect(
      failure?.message == "The header lines have too many bytes. The limit is 40. (Line 3 of the request's head.)"
    )
  }

  @Test func `of pipelined bytes stops the reading`() {
    var parser = RequestParser(limits: HTTPLimits { $0.pipelinedBytes = 64 })
    let request = Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
    let wantsFirst = parser.wantsInput
    for _ in 0..<3 { request.withUnsafeBytes { parser.receive($0) } }
    let wantsFourth = parser.wantsInput
    guard case .request = parser.next(ParserMemory()) else {
      Issue.record("a request was there")
      return
    }
    let wantsAfterOne = parser.wantsInput
    #expect([wantsFirst, wantsFourth, wantsAfterOne] == [true, false, true])
  }

  @Test func `bounds what a body of one-byte chunks makes the parser keep`() {
    var parser = RequestParser()
    let head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
    Array(head.utf8).withUnsafeBytes { parser.receive($0) }
    let chunk = Array("1\r\na\r\n".utf8)
    for sent in 1...20_000 {
      chunk.withUnsafeBytes { parser.receive($0) }
      guard case .needsMore = parser.next(ParserMemory()) else {
        Issue.record("the body is not whole")
        return
      }
      let kept = parser.bufferedBytes
      #expect(kept <= head.utf8.count + sent + 1024 + chunk.count)
    }
    Array("0\r\n\r\n".utf8).withUnsafeBytes { parser.receive($0) }
    guard case .request(let request) = parser.next(ParserMemory()) else {
      Issue.record("the body is whole")
      return
    }
    #expect(request.body.count == 20_000)
  }
}
