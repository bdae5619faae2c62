import Basics
import HTTP
import Testing

/// The second head of a connection is compared with the first, which must not change what it means.
@Suite("KnownHead")
struct KnownHeadTests {
  private static let first = """
    POST /graphql?a=1 HTTP/1.1\r
    Host: example.com\r
    Content-Length: 12\r
    Authorization: Bearer abcdefgh\r
    Idempotency-Key: 12345678\r
    Connection: keep-alive\r
    Accept: a\r
    \r

    """

  @Test(arguments: [
    ("Content-Length: 12", "Content-Length: 13"), ("Content-Length: 12", "Content-Length: 1x"),
    ("Content-Length: 12", "Content-Length: +2"), ("Content-Length: 12", "Content-Length:  2"),
    ("Content-Length: 12", "Content-Length: 2 "), ("Content-Length: 12", "Content-Length: 7"),
    ("Content-Length: 12", "Content-Length: 120"), ("Content-Length: 12", "Transfer-Encoding: chunked"),
    ("abcdefgh", "hgfedcba"), ("abcdefgh", "abc defg"), ("abcdefgh", "abcdefg "), ("abcdefgh", "abcdefg\t"),
    ("abcdefgh", "abcd\0fgh"), ("abcdefgh", "abcd\u{7F}fgh"), ("abcdefgh", "a\r\nAge: 1"), ("abcdefgh", "abcdef\r\n"),
    ("abcdefgh", "abcdefghi"), ("Bearer abcdefgh", "               "), ("12345678", "87654321"),
    ("12345678", "1234567\n"),
    ("example.com", "example.org"), ("example.com", "example com"), ("Host", "Most"), ("Accept: a", "Accept: b"),
    ("keep-alive", "closeclose"), ("keep-alive", "close     "), ("POST", "PATCH"), ("?a=1", "?a=2"), ("1.1", "1.0"),
    ("Authorization", "Authorisation"), ("\r\n\r\n", "\r\nA: b\r\n\r\n"), ("Accept: a\r\n", ""),
  ])
  func `does not change what another head means`(part: String, replacement: String) {
    var changed = Self.first
    changed.replace(part, with: replacement)
    #expect(changed != Self.first)
    check(Array(changed.utf8))
  }

  @Test func `does not change what a head with any other byte means`() {
    var generator = SeededGenerator(seed: 1)
    for at in Self.first.utf8.indices {
      let offset = Self.first.utf8.distance(from: Self.first.startIndex, to: at)
      for byte in Array(" \t\r\n:,x09\0\u{7F}".utf8) + [UInt8.random(in: 0x80...0xFF, using: &generator)] {
        var changed = Array(Self.first.utf8)
        changed[offset] = byte
        check(changed)
      }
    }
  }

  /// Sends a second head, and compares its request with that of a connection for it alone.
  private func check(_ changed: [UInt8], _ location: SourceLocation = #_sourceLocation) {
    let body = Array(repeating: UInt8(ascii: "b"), count: 12)
    let alone = Outcome(of: changed + body)
    let second = Outcome(of: Array(Self.first.utf8) + body + changed + body)
    let text = String(decoding: changed, as: UTF8.self)
    #expect(second.failure == alone.failure, "\(text)", sourceLocation: location)
    #expect(Array(second.events.dropFirst()) == alone.events, "\(text)", sourceLocation: location)
    let parts = second.requests.dropFirst().map(Parts.init)
    #expect(parts == alone.requests.map(Parts.init), "\(text)", sourceLocation: location)
  }

  /// What a request says.
  private struct Parts: Equatable {
    var headers: [[String]] = []
    var host: String?
    var authorization: String?
    var length: Int?
    var flags: [Bool]

    init(_ request: HTTPRequest) {
      host = request.host.map { String(decoding: $0, as: UTF8.self) }
      authorization = request[.authorization].map { String(decoding: $0, as: UTF8.self) }
      length = request.contentLength
      flags = [request.keepAlive, request.asksToUpgrade, request.has(.accept), request.has(.host)]
      request.forEachHeader { name, value in
        headers.append([String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self)])
      }
    }
  }
}
