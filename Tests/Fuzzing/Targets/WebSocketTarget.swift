import Bytes
import HTTP
import WebSocket

@testable import GraphQLTransport

/// The bytes of a WebSocket: frames, or an opening handshake and frames behind it. They give the same messages in
/// whatever pieces they arrive; a message written as a frame is read again as the same; text goes on to
/// graphql-transport-ws.
enum WebSocketTarget {
  /// Returns whether the input has messages, and no failure behind them.
  static func check(_ input: [UInt8]) throws -> Bool {
    let frames = input.starts(with: Array("GET ".utf8)) ? try framesBehindHandshake(input) : input
    for limit in [125, 1 << 20] {
      let whole = events(of: frames, inPiecesOf: { frames.count }, limit)
      var sizes = PieceSizes(of: input)
      let pieces = events(of: frames, inPiecesOf: { sizes.next(atMost: 20) }, limit)
      try require(pieces == whole, "Pieces change the messages: \(whole) became \(pieces).")
      let bytewise = events(of: frames, inPiecesOf: { 1 }, limit)
      try require(bytewise == whole, "Single bytes change the messages: \(whole) became \(bytewise).")
      for event in whole { try check(event, limit) }
    }
    let messages = events(of: frames, inPiecesOf: { frames.count }, 1 << 20)
    try checkProtocol(messages)
    if case .failure? = messages.last { return false }
    return !messages.isEmpty
  }

  private static func framesBehindHandshake(_ input: [UInt8]) throws -> [UInt8] {
    var parser = RequestParser()
    input.withUnsafeBytes { parser.receive($0) }
    guard case .request(let request) = parser.next(ParserMemory()) else { return [] }
    do {
      let handshake = try WebSocketHandshake(request, subprotocols: ["graphql-transport-ws"])
      try require(request.method == .get && request.asksToUpgrade, "A handshake was accepted that is no upgrade.")
      let subprotocol = handshake.subprotocol
      try require(subprotocol == nil || subprotocol == "graphql-transport-ws", "The subprotocol is not ours.")
    } catch is WebSocketHandshake.Rejection {
      return []
    }
    return parser.takeRemainder()
  }

  private static func events(of input: [UInt8], inPiecesOf size: () -> Int, _ limit: Int) -> [MessageReader.Event] {
    var reader = MessageReader(limits: WebSocketLimits(messageBytes: limit))
    var events: [MessageReader.Event] = []
    var at = 0
    while at < input.count {
      let end = min(at + size(), input.count)
      input[at..<end].withUnsafeBytes { piece in
        var rest = piece
        while let event = reader.next(&rest) { events.append(event) }
      }
      at = end
    }
    return events
  }

  private static func check(_ event: MessageReader.Event, _ limit: Int) throws {
    switch event {
    case .text(let bytes):
      try require(bytes.count <= limit, "A message has \(bytes.count) bytes.")
      try require(String(validating: bytes, as: UTF8.self) != nil, "A text is not UTF-8.")
      try checkFrame(.text, bytes, event)
    case .binary(let bytes):
      try require(bytes.count <= limit, "A message has \(bytes.count) bytes.")
      try checkFrame(.binary, bytes, event)
    case .ping(let bytes): try checkFrame(.ping, bytes, event)
    case .pong(let bytes): try checkFrame(.pong, bytes, event)
    case .close(let reason): try checkClose(reason, event)
    case .failure(let failure): try checkClose(failure.reason, .close(failure.reason))
    }
  }

  private static func checkFrame(_ opcode: Opcode, _ payload: [UInt8], _ event: MessageReader.Event) throws {
    var written = ByteBuffer()
    written.append(frame: opcode, payload)
    let again = events(of: masked(written.array(), payload: payload.count), inPiecesOf: { 1 << 20 }, 1 << 20)
    try require(again == [event], "\(event) was written and read as \(again).")
  }

  private static func checkClose(_ reason: CloseReason?, _ event: MessageReader.Event) throws {
    var written = ByteBuffer()
    written.append(close: reason)
    let frame = written.array()
    try require(frame.count <= 127, "A close frame has \(frame.count) bytes.")
    let again = events(of: masked(frame, payload: frame.count - 2), inPiecesOf: { 1 << 20 }, 1 << 20)
    try require(again == [event], "\(event) was written and read as \(again).")
  }

  /// A server's frame as a client would send it.
  private static func masked(_ frame: [UInt8], payload count: Int) -> [UInt8] {
    let mask: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]
    var head = Array(frame.dropLast(count))
    head[1] |= 0x80
    return head + mask + frame.suffix(count).enumerated().map { $1 ^ mask[$0 % 4] }
  }

  private static func checkProtocol(_ events: [MessageReader.Event]) throws {
    var conversation = SocketProtocol()
    // By their bytes, as the server compares ids.
    var open: Set<[UInt8]> = []
    for event in events {
      guard case .text(let text) = event else { continue }
      switch conversation.receive(ClientMessage.read(text), isOpen: { open.contains(Array($0.utf8)) }) {
      case .authenticate: conversation.acknowledge()
      case .start(let id, _):
        try require(conversation.isAcknowledged, "An operation starts before the connection is acknowledged.")
        let isFree = open.insert(Array(id.utf8)).inserted
        try require(isFree, "The operation \(id) starts twice.")
        if open.count > 4 { open.remove(Array(id.utf8)) }
      case .stop(let id): open.remove(Array(id.utf8))
      case .close: return
      case .nothing, .renew, .pong: break
      }
    }
  }
}
