/// Why a connection is closed (RFC 6455, section 7.4).
package struct CloseCode: RawRepresentable, Hashable, Sendable {
  package let rawValue: UInt16
  package init(rawValue: UInt16) { self.rawValue = rawValue }

  package static let goingAway = CloseCode(rawValue: 1001)
  package static let protocolError = CloseCode(rawValue: 1002)
  package static let invalidPayload = CloseCode(rawValue: 1007)
  package static let messageTooBig = CloseCode(rawValue: 1009)
  package static let internalError = CloseCode(rawValue: 1011)
  package static let tryAgainLater = CloseCode(rawValue: 1013)

  /// Whether a close frame can contain the code: 1004 is reserved; 1005, 1006 and 1015 describe connections that were
  /// closed without one; other codes are not registered.
  var mayBeSent: Bool {
    switch rawValue {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }
}

/// The content of a close frame.
package struct CloseReason: Equatable, Sendable {
  package let code: CloseCode
  package let text: String

  package init(_ code: CloseCode, text: String = "") {
    self.code = code
    self.text = text
  }
}
