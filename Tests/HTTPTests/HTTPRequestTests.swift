import Testing

@testable import HTTP

@Suite("HTTPRequest")
struct HTTPRequestTests {
  private func request(_ text: String) throws -> HTTPRequest {
    try #require(Outcome(of: text).requests.first, "\(Outcome(of: text))")
  }

  @Test func `gives its parts as they were sent`() throws {
    let request = try request(
      "POST /graphql/a%20b?x=1&y HTTP/1.1\r\nHost: api.example:8080\r\ncontent-TYPE: \t application/json \t\r\n"
        + "X-Odd: 1\r\nx-odd: 2\r\nAccept: a/b\r\nAccept: c/d\r\nContent-Length: 2\r\n\r\n{}"
    )
    #expect(request.method == .post)
    #expect(request.version == .http11)
    #expect(request.path.text == "/graphql/a%20b")
    #expect(request.query?.text == "x=1&y")
    #expect(request.host?.text == "api.example:8080")
    #expect(request[.contentType]?.text == "application/json")
    #expect(request["x-odd"]?.text == "1")
    #expect(request["x-even"] == nil)
    #expect(request[.origin] == nil)
    #expect(request.values(of: .accept).map(\.text) == ["a/b", "c/d"])
    #expect(request.onlyValue(of: .accept) == nil && request.onlyValue(of: .origin) == nil)
    #expect(request.onlyValue(of: .contentType)?.text == "application/json")
    #expect(request.headerCount == 7)
    #expect(request.body.text == "{}")
  }

  @Test func `takes its host from an absolute target before the header`() throws {
    let request = try request("GET http://b.example:81?q HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(request.targetForm == .absolute)
    #expect(request.host?.text == "b.example:81")
    #expect(request.path.text == "/")
    #expect(request.query?.text == "q")
  }

  @Test(arguments: [
    ("HTTP/1.1", "", true), ("HTTP/1.1", "Connection: close\r\n", false),
    ("HTTP/1.1", "Connection: Upgrade , CLOSE\r\n", false), ("HTTP/1.1", "Connection: closed\r\n", true),
    ("HTTP/1.1", "Connection: keep-alive\r\nConnection: close\r\n", false), ("HTTP/1.0", "", false),
    ("HTTP/1.0", "Connection: ,, Keep-Alive\r\n", true), ("HTTP/1.0", "Connection: keep-alive, close\r\n", false),
  ])
  func `says whether its connection may be used again`(version: String, header: String, expected: Bool) throws {
    #expect(try request("GET / \(version)\r\nHost: a\r\n\(header)\r\n").keepAlive == expected)
  }

  @Test func `finds the last header with any name, in any case`() throws {
    let lines = "X-Forwarded-For: one\r\nX-Forwarded-Fox: other\r\nx-forwarded-FOR: two\r\nX-Empty:\r\n"
    let request = try request("GET / HTTP/1.1\r\nHost: a\r\n\(lines)\r\n")
    #expect(request.lastValue(ofHeader: "x-forwarded-for")?.text == "two")
    #expect(request.lastValue(ofHeader: "host")?.text == "a")
    #expect(request.lastValue(ofHeader: "x-empty")?.text == "")
    #expect(request.lastValue(ofHeader: "x-forwarded-fo") == nil)
    #expect(request.lastValue(ofHeader: "") == nil)
  }

  @Test func `finds the first header with any name, in any case, that is not too long`() throws {
    let lines = "X-News: a long one\r\nX-Newsy: other\r\nx-NEWS: two\r\nX-News: 3\r\nX-Empty:\r\n"
    let request = try request("GET / HTTP/1.1\r\nHost: a\r\n\(lines)\r\n")
    #expect(request.firstValue(ofHeader: "x-news")?.text == "a long one")
    #expect(request.firstValue(ofHeader: "x-news", upTo: 3)?.text == "two")
    #expect(request.firstValue(ofHeader: "x-news", upTo: 0) == nil)
    #expect(request.firstValue(ofHeader: "host")?.text == "a")
    #expect(request.firstValue(ofHeader: "x-empty")?.text == "")
    #expect(request.firstValue(ofHeader: "x-new") == nil)
    #expect(request.firstValue(ofHeader: "") == nil)
  }

  @Test func `reports whether it requests an upgrade`() throws {
    let upgrade = "GET / HTTP/1.1\r\nHost: a\r\nConnection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n\r\n"
    #expect(try request(upgrade).asksToUpgrade)
    #expect(try request(upgrade)[.upgrade]?.listContains("websocket") == true)
  }

  @Test(arguments: HeaderName.allCases.filter { $0 != .other })
  func `recognises every name it knows, in any case, and none that differs in a letter`(name: HeaderName) {
    let text = name.text.description
    for spelling in [text, text.uppercased(), text.prefix(1).uppercased() + text.dropFirst()] {
      let recognized = Array(spelling.utf8).withUnsafeBytes { HeaderName.recognize($0) }
      #expect(recognized == name, "\(spelling)")
    }
    for index in text.utf8.indices {
      for bit in 0..<8 where bit != 5 {
        var other = Array(text.utf8)
        other[text.utf8.distance(from: text.utf8.startIndex, to: index)] ^= 1 << UInt8(bit)
        #expect(other.withUnsafeBytes { HeaderName.recognize($0) } != name, "\(other)")
      }
    }
    #expect(Array("\(text)s".utf8).withUnsafeBytes { HeaderName.recognize($0) } != name)
  }

  @Test(arguments: [
    (CharacterSet.token, "!#$%&'*+-.^_`|~"), (CharacterSet.hostName, "-._~!$&'()*+,;=%"),
    (CharacterSet.address, "-._~!$&'()*+,;=:"), (CharacterSet.path, "-._~!$&'()*+,;=%:@/[]|"),
    (CharacterSet.query, "-._~!$&'()*+,;=%:@/[]|?{}\\^`"),
  ])
  func `knows its character sets`(set: CharacterSet, marks: String) {
    let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    let expected = Set((letters + marks).utf8)
    for byte in UInt8.min...UInt8.max { #expect(set.contains(byte) == expected.contains(byte), "\(byte)") }
  }
}
