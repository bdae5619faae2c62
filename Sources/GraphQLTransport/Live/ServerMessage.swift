import Bytes
import GraphQL
import JSON
import WebSocket

/// The messages of graphql-transport-ws that a server sends, each in one frame.
enum ServerMessage {
  /// Contains the current position. A client that is disconnected before its first event resumes after it.
  static func connectionAck(position: String?) -> [UInt8] {
    guard let position else { return Array(#"{"type":"connection_ack"}"#.utf8) }
    return Array(#"{"type":"connection_ack","payload":{"position":"\#(position)"}}"#.utf8)
  }

  static func pong(payload: ArraySlice<UInt8>?) -> [UInt8] {
    guard let payload else { return Array(#"{"type":"pong"}"#.utf8) }
    return Array(#"{"type":"pong","payload":"#.utf8) + payload + [UInt8(ascii: "}")]
  }

  static func complete(_ id: String) -> [UInt8] { head(of: id, "complete", then: "}") }

  /// The head of `next` messages, which is the same for all of an operation.
  static func nextHead(of id: String) -> [UInt8] { head(of: id, "next", then: #","payload":"#) }
  /// Ends a `next` message after its payload.
  static let nextTail: StaticString = "}"

  static func error(_ id: String, errors: [GraphQLError]) -> [UInt8] {
    var message = ByteBuffer(capacity: 512)
    message.append(head(of: id, "error", then: #","payload":"#))
    ErrorResponse.append(list: errors, to: &message)
    message.append("}")
    return message.array()
  }

  private static func head(of id: String, _ type: String, then rest: String) -> [UInt8] {
    var text = ByteBuffer(capacity: 96)
    text.append("{\"id\":")
    text.append(jsonString: id)
    text.append(",\"type\":\"\(type)\"\(rest)")
    return text.array()
  }
}

extension ByteBuffer {
  /// Appends a frame with a `next` message: the head of the operation and a payload that operations can share.
  mutating func append(nextFrameWith head: [UInt8], _ payload: UnsafeRawBufferPointer) {
    let length = head.count + payload.count + ServerMessage.nextTail.utf8CodeUnitCount
    reserve(length + 10)
    appendHeader(ofFrame: .text, length: length)
    append(head)
    append(payload)
    append(ServerMessage.nextTail)
  }
}
