import Bytes
import HTTP
import Testing

@Suite("Responses")
struct ResponseTests {
  private func encoded(
    _ status: HTTPStatus,
    _ body: String,
    to request: String = "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
    headers: HeaderBlock = HeaderBlock(),
    date: HTTPDate? = nil,
    keepAlive: Bool? = nil
  ) throws -> String {
    let request = try #require(Outcome(of: request).requests.first)
    var encoder = ResponseEncoder(answering: request, date: date)
    if let keepAlive { encoder.keepAlive = keepAlive }
    var content = ByteBuffer()
    content.append(body)
    var output = ByteBuffer()
    encoder.encode(HTTPResponse(status, headers: headers, body: content), into: &output)
    return String(decoding: output.array(), as: UTF8.self)
  }

  @Test func `have a status line, headers, a length and a body`() throws {
    let headers = try HeaderBlock(["Content-Type": "text/plain", "X-A": "b"])
    let text = try encoded(.ok, "hello", headers: headers, date: HTTPDate(epochSeconds: 784_111_777))
    #expect(
      text == "HTTP/1.1 200 OK\r\nX-Content-Type-Options: nosniff\r\n"
        + "Content-Type: text/plain\r\nX-A: b\r\nContent-Length: 5\r\n"
        + "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n\r\nhello"
    )
  }

  @Test func `to HEAD need no body`() throws {
    let request = try #require(Outcome(of: "HEAD / HTTP/1.1\r\nHost: a\r\n\r\n").requests.first)
    var output = ByteBuffer()
    let response = HTTPResponse(.ok, headers: HeaderBlock(), omittedBody: 1 << 40)
    ResponseEncoder(answering: request).encode(response, into: &output)
    let text = String(decoding: output.array(), as: UTF8.self)
    #expect(text.hasSuffix("Content-Length: 1099511627776\r\n\r\n"), "\(text)")
  }

  @Test func `to HEAD have the length of a body that is left out`() throws {
    let text = try encoded(.ok, "hello", to: "HEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(text == "HTTP/1.1 200 OK\r\nX-Content-Type-Options: nosniff\r\nContent-Length: 5\r\n\r\n")
  }

  @Test(arguments: [HTTPStatus.noContent, .notModified])
  func `without a body have no length`(status: HTTPStatus) throws {
    let text = try encoded(status, "never sent")
    #expect(text == "HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\nX-Content-Type-Options: nosniff\r\n\r\n")
  }

  @Test func `declare the persistence of the connection if the client cannot know it`() throws {
    let old = "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"
    #expect(try encoded(.ok, "", to: old).contains("\r\nConnection: keep-alive\r\n"))
    #expect(try encoded(.ok, "", to: "GET / HTTP/1.0\r\n\r\n").contains("\r\nConnection: close\r\n"))
    #expect(try !encoded(.ok, "").contains("Connection"))
    #expect(try encoded(.ok, "", keepAlive: false).contains("\r\nConnection: close\r\n"))
  }

  @Test func `that require an upgrade name it as an option of the connection`() throws {
    let headers = try HeaderBlock(["Upgrade": "websocket"])
    let kept = try encoded(.upgradeRequired, "", headers: headers)
    #expect(kept.contains("\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"), "\(kept)")
    let last = try encoded(.upgradeRequired, "", headers: headers, keepAlive: false)
    #expect(last.contains("\r\nConnection: Upgrade\r\n") && last.contains("\r\nConnection: close\r\n"), "\(last)")
  }

  @Test func `to a rejected request explain why and close`() throws {
    let failure = try #require(Outcome(of: "GET / HTTP/1.1\r\n\r\n").failure)
    var output = ByteBuffer()
    ResponseEncoder(closingWith: nil).encode(HTTPResponse(rejecting: failure), into: &output)
    let text = String(decoding: output.array(), as: UTF8.self)
    #expect(text.hasPrefix("HTTP/1.1 400 Bad Request\r\nX-Content-Type-Options: nosniff\r\nContent-Type: text/plain; "))
    #expect(text.contains("\r\nConnection: close\r\n"))
    #expect(text.hasSuffix("\r\n\r\nMISSING_HOST: The Host header is missing; HTTP/1.1 requires it.\n"))
  }

  @Test func `of the interim kind consist of their status line`() {
    var output = ByteBuffer()
    ResponseEncoder.encodeContinue(into: &output)
    #expect(output.array() == Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
  }

  @Test func `of an upgrade say to what`() throws {
    var output = ByteBuffer()
    ResponseEncoder.encodeUpgrade(try HeaderBlock(["Upgrade": "websocket"]), into: &output)
    let expected = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
    #expect(String(decoding: output.array(), as: UTF8.self) == expected)
  }

  @Test(arguments: ["a\r\nSet-Cookie: b", "a\n", "a\r", "a\0", "a\u{7F}", "\u{1B}"])
  func `cannot be split by a header's value`(value: String) {
    #expect(throws: HeaderBlockError.invalidValue(name: "Location")) { try HeaderBlock(["Location": value]) }
  }

  @Test(arguments: ["", "A B", "A:", "A\r\nB", "Ż"])
  func `cannot be split by a header's name`(name: String) {
    #expect(throws: HeaderBlockError.invalidName(name)) { try HeaderBlock([name: "a"]) }
  }

  @Test(arguments: ["Content-Length", "content-length", "Transfer-Encoding", "CONNECTION", "Date"])
  func `reject headers that the encoder writes`(name: String) {
    #expect(throws: HeaderBlockError.reservedName(name)) { try HeaderBlock().adding(name, value: "a") }
  }
}
