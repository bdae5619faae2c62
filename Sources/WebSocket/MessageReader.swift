/// Parses the bytes of a client into messages (RFC 6455, sections 5 and 6). It has no socket or clock: pass bytes to
/// `next`, which returns events.
///
/// It only stores the incomplete message and the bytes of an incomplete header: the reader of an idle connection
/// allocates no memory.
package struct MessageReader: Sendable {
  package enum Event: Equatable, Sendable {
    case text([UInt8])
    case binary([UInt8])
    case ping([UInt8])
    case pong([UInt8])
    /// The client closes the connection; nil if it gives no reason. Later bytes are not read.
    case close(CloseReason?)
    /// The connection must be closed with this failure. Later bytes are not read.
    case failure(WebSocketFailure)
  }

  /// A message that has begun is subject to the limits at its next frame.
  package var limits: WebSocketLimits
  /// The bytes of an incomplete header.
  private var partialHeader: [UInt8] = []
  /// The current frame, and the number of payload bytes read.
  private var frame: FrameHeader?
  private var taken = 0
  /// The incomplete message and its opcode; nil between messages.
  private var message: [UInt8] = []
  private var kind: Opcode?
  private var utf8 = UTF8Check()
  private var control: [UInt8] = []
  private var hasEnded = false

  package init(limits: WebSocketLimits = WebSocketLimits()) { self.limits = limits }

  /// Bytes of the incomplete message.
  package var bufferedBytes: Int { message.count }

  /// Consumes bytes of `input` up to the end of the first message or control frame, and returns it. Returns nil once
  /// all bytes are consumed.
  package mutating func next(_ input: inout UnsafeRawBufferPointer) -> Event? {
    guard !hasEnded else {
      input = UnsafeRawBufferPointer(rebasing: input[input.count...])
      return nil
    }
    do throws(WebSocketFailure) {
      while true {
        if frame == nil, try !readHeader(&input) { return nil }
        guard let frame else { return nil }
        let length = min(frame.length &- taken, input.count)
        let payload = UnsafeRawBufferPointer(rebasing: input[..<length])
        input = UnsafeRawBufferPointer(rebasing: input[length...])
        try take(payload, of: frame)
        taken &+= length
        guard taken == frame.length else { return nil }
        self.frame = nil
        taken = 0
        if let event = try finish(frame) { return event }
      }
    } catch {
      end()
      return .failure(error)
    }
  }

  // MARK: Headers

  /// Returns false if the header is incomplete.
  private mutating func readHeader(_ input: inout UnsafeRawBufferPointer) throws(WebSocketFailure) -> Bool {
    if partialHeader.isEmpty {
      guard let header = try FrameHeader.read(input) else {
        partialHeader = Array(input)
        input = UnsafeRawBufferPointer(rebasing: input[input.count...])
        return false
      }
      input = UnsafeRawBufferPointer(rebasing: input[header.byteCount...])
      try begin(header)
      return true
    }
    while let byte = input.first {
      input = UnsafeRawBufferPointer(rebasing: input[1...])
      partialHeader.append(byte)
      let header = try partialHeader.withUnsafeBufferPointer { (bytes) throws(WebSocketFailure) in
        try FrameHeader.read(UnsafeRawBufferPointer(bytes))
      }
      guard let header else { continue }
      partialHeader = []
      try begin(header)
      return true
    }
    return false
  }

  private mutating func begin(_ header: FrameHeader) throws(WebSocketFailure) {
    switch header.opcode {
    case .text, .binary:
      guard kind == nil else { throw .unfinishedMessage }
      kind = header.opcode
    case .continuation: guard kind != nil else { throw .nothingToContinue }
    case .close, .ping, .pong: break
    }
    if !header.opcode.isControl, header.length > limits.messageBytes &- message.count { throw .messageTooBig }
    frame = header
  }

  // MARK: Payloads

  private mutating func take(_ payload: UnsafeRawBufferPointer, of frame: FrameHeader) throws(WebSocketFailure) {
    guard !payload.isEmpty else { return }
    if frame.opcode.isControl { return Self.append(payload, to: &control, frame.mask, offset: taken) }
    let start = message.count
    Self.append(payload, to: &message, frame.mask, offset: taken)
    guard kind == .text else { return }
    let isText = message.withUnsafeBytes { utf8.accept(UnsafeRawBufferPointer(rebasing: $0[start...])) }
    guard isText else { throw .invalidText }
  }

  /// The buffer grows with the received bytes, not with the announced length.
  private static func append(
    _ payload: UnsafeRawBufferPointer,
    to bytes: inout [UInt8],
    _ mask: UInt32,
    offset: Int
  ) {
    guard !bytes.isEmpty else {
      bytes = [UInt8](unsafeUninitializedCapacity: payload.count) { room, count in
        guard let target = room.baseAddress else { return }
        Mask.remove(mask, from: payload, to: target, offset: offset)
        count = payload.count
      }
      return
    }
    let start = bytes.count
    bytes.append(contentsOf: payload)
    bytes.withUnsafeMutableBytes { whole in
      let added = UnsafeMutableRawBufferPointer(rebasing: whole[start...])
      guard let target = added.baseAddress else { return }
      Mask.remove(mask, from: UnsafeRawBufferPointer(added), to: target, offset: offset)
    }
  }

  /// Returns nil if the message continues with the next frame.
  private mutating func finish(_ frame: FrameHeader) throws(WebSocketFailure) -> Event? {
    if frame.opcode.isControl {
      let payload = control
      control = []
      switch frame.opcode {
      case .ping: return .ping(payload)
      case .pong: return .pong(payload)
      default:
        let reason = try Self.closeReason(payload)
        end()
        return .close(reason)
      }
    }
    guard frame.isFinal else { return nil }
    let whole = message
    let isText = kind == .text
    message = []
    kind = nil
    guard isText else { return .binary(whole) }
    guard utf8.isComplete else { throw .invalidText }
    return .text(whole)
  }

  private static func closeReason(_ payload: [UInt8]) throws(WebSocketFailure) -> CloseReason? {
    guard !payload.isEmpty else { return nil }
    guard payload.count >= 2 else { throw .invalidClose }
    let code = CloseCode(rawValue: UInt16(payload[0]) << 8 | UInt16(payload[1]))
    guard code.mayBeSent else { throw .invalidClose }
    guard let text = String(validating: payload[2...], as: UTF8.self) else { throw .invalidText }
    return CloseReason(code, text: text)
  }

  private mutating func end() {
    hasEnded = true
    partialHeader = []
    message = []
    control = []
    frame = nil
  }
}
