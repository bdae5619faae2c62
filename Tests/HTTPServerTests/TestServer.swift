import Bytes
import EventLoop
import HTTP
import HTTPServer
import TestSupport

/// Responds as a test specifies.
actor TestHandler: HTTPHandler {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  private let body: @Sendable (HTTPRequest) async -> HTTPResponse

  init(on loop: EventLoop, _ body: @escaping @Sendable (HTTPRequest) async -> HTTPResponse) {
    self.loop = loop
    self.body = body
  }

  /// The request names the bytes that the response holds before it is complete, or asks for a streamed response.
  func answer(_ request: HTTPRequest) -> HTTPAnswer {
    if request["x-stream"] != nil { return .stream(HeaderBlock(), SilentWriter(on: loop)) }
    let held = request["x-holding"].flatMap { Int($0.text) } ?? 0
    return .deferred(holding: held) { [body] request in .response(await body(request)) }
  }

  /// A long body is read for the person that the request names.
  func admit(_ request: HTTPRequest) async -> BodyAdmission {
    guard let person = request["x-person"].flatMap({ UInt64($0.text) }) else {
      return .rejected(text("NOT_ADMITTED", .contentTooLarge))
    }
    return .admitted(Payer(.person, key: person))
  }

  func network(of request: HTTPRequest?, peer: String?) -> Payer? {
    request?["x-network"].flatMap { UInt64($0.text) }.map { Payer(.network, key: $0) }
  }
}

/// Writes a streamed response that has no bytes, and ends with its connection.
actor SilentWriter: ResponseStreamWriter {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  let heartbeat: [UInt8] = []

  init(on loop: EventLoop) { self.loop = loop }

  func responseDidBegin(_ stream: ResponseStream) {}
  func responseDidDrain() {}
  func responseShouldEnd() {}
  func responseDidEnd() {}
}

/// A server for one test, with loops of its own.
struct TestServer {
  let group: EventLoopGroup
  let server: HTTPServer<TestHandler>
  let port: Int

  init(
    loops: Int = 1,
    options: HTTPServerOptions = HTTPServerOptions(),
    _ respond: @escaping @Sendable (HTTPRequest) async -> HTTPResponse = { text($0.targetText) }
  ) async throws {
    group = try EventLoopGroup(count: loops)
    server = HTTPServer(group: group, host: "127.0.0.1", port: 0, options: options) {
      TestHandler(on: $0, respond)
    }
    port = try await server.start()
  }

  func connect(receiveBuffer: Int32? = nil) throws -> TestSocket {
    try TestSocket(port: port, receiveBuffer: receiveBuffer)
  }

  /// Call this at the end of a test: it closes all open connections.
  func stop() async {
    await server.shutdown(deadline: .zero)
    group.stop()
  }
}

func text(_ text: String, _ status: HTTPStatus = .ok) -> HTTPResponse {
  var body = ByteBuffer()
  body.append(text)
  return HTTPResponse(status, body: body)
}

/// A response as a client sees it.
struct Answer: Equatable {
  var status: Int
  var headers: [String: String]
  var body: String
}

extension TestSocket {
  func get(_ path: String, _ headers: String = "") throws {
    try send("GET \(path) HTTP/1.1\r\nHost: test\r\n\(headers)\r\n")
  }

  /// Reads a response; its body by Content-Length, unless the request was a HEAD.
  func answer(toHead: Bool = false) throws -> Answer {
    var head: [UInt8] = []
    while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) { head += try receive(1) }
    let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      headers[parts[0].lowercased()] = parts[1].drop { $0 == " " }.description
    }
    let length = toHead ? 0 : Int(headers["content-length"] ?? "") ?? 0
    let body = String(decoding: try receive(length), as: UTF8.self)
    return Answer(status: Int(lines[0].split(separator: " ")[1]) ?? 0, headers: headers, body: body)
  }
}
