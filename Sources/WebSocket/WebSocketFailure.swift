/// Why a connection has to be failed (RFC 6455, section 7.1.7).
package enum WebSocketFailure: Error, Equatable, Sendable {
  case reservedBits
  case reservedOpcode
  case fragmentedControlFrame
  case longControlFrame
  case notMasked
  case invalidLength
  case messageTooBig
  case nothingToContinue
  case unfinishedMessage
  case invalidText
  case invalidClose

  /// The close frame that the client receives.
  package var reason: CloseReason {
    switch self {
    case .reservedBits: CloseReason(.protocolError, text: "A reserved bit is set; no extension was agreed on.")
    case .reservedOpcode: CloseReason(.protocolError, text: "The frame has a reserved opcode.")
    case .fragmentedControlFrame: CloseReason(.protocolError, text: "A control frame must not be fragmented.")
    case .longControlFrame: CloseReason(.protocolError, text: "A control frame must have at most 125 bytes.")
    case .notMasked: CloseReason(.protocolError, text: "A client must mask its frames.")
    case .invalidLength: CloseReason(.protocolError, text: "The length of the frame is not encoded as required.")
    case .messageTooBig: CloseReason(.messageTooBig, text: "The message has too many bytes.")
    case .nothingToContinue: CloseReason(.protocolError, text: "There is no message to continue.")
    case .unfinishedMessage: CloseReason(.protocolError, text: "The previous message is not finished.")
    case .invalidText: CloseReason(.invalidPayload, text: "The text is not UTF-8.")
    case .invalidClose: CloseReason(.protocolError, text: "The close frame has no valid code.")
    }
  }

  /// The close frame, which names the limit that a message exceeds.
  /// - Parameters:
  ///   - limits: The limits of the connection.
  ///   - identified: The limits of a connection whose client is identified.
  package func reason(limits: WebSocketLimits, identified: WebSocketLimits) -> CloseReason {
    guard self == .messageTooBig else { return reason }
    let condition = limits.messageBytes < identified.messageBytes ? " before signing in" : ""
    return CloseReason(.messageTooBig, text: "A message can have at most \(limits.messageBytes) bytes\(condition).")
  }
}
