import ArgumentParser
import EventLoop
import Glibc
import HTTPServer
import WebSocket

/// An echo server for WebSocket conformance suites, built on Hearth's WebSocket implementation and event loop.
@main
struct WebSocketEcho: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "websocket-echo",
    abstract: "Sends back every WebSocket message as it came."
  )

  @Option(help: "The port on 127.0.0.1; 0 picks a free one.")
  var port = 9001

  @Option(help: "Bytes that a message may have.")
  var maximumMessage = 64 << 20

  func run() async throws {
    let group = try EventLoopGroup(count: 1)
    var options = HTTPServerOptions()
    options.webSocketLimits = WebSocketLimits(messageBytes: maximumMessage)
    let server = HTTPServer(group: group, host: "127.0.0.1", port: port, options: options) { EchoHandler(on: $0) }
    print("listening on 127.0.0.1:\(try await server.start())")
    fflush(nil)
    for await _ in try await group.loops[0].signals([SIGTERM, SIGINT]) { break }
    await server.shutdown(deadline: .seconds(5))
    group.stop()
  }
}
