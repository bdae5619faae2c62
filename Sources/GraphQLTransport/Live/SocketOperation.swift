import Bytes
import EventLoop
import GraphQL
import HTTPServer
import WebSocket

/// An open operation of a WebSocket: the sink of its responses.
final class SocketOperation<Service: GraphQLService>: SubscriptionSink {
  let id: String
  /// The head of its `next` messages.
  private let head: [UInt8]
  private let socket: GraphQLSocket<Service>
  private let connection: WebSocketConnection
  /// The reservation for the message that started it, which stays in memory while the operation is open.
  private let reservation: ByteReservation?

  init(
    _ id: String,
    of socket: GraphQLSocket<Service>,
    over connection: WebSocketConnection,
    _ reservation: ByteReservation?
  ) {
    self.reservation = reservation
    self.id = id
    self.socket = socket
    self.connection = connection
    head = ServerMessage.nextHead(of: id)
  }

  var connectionID: ObjectIdentifier { ObjectIdentifier(socket) }
  var isBehind: Bool { connection.assumeOnLoop { $0.isBehind } }

  func receive(_ response: SubscriptionResponse) {
    let isSent = connection.assumeOnLoop { connection in
      if connection.isBehind { return false }
      response.json.withUnsafeBytes { response in
        connection.send { $0.append(nextFrameWith: head, response) }
      }
      return true
    }
    if !isSent { socket.assumeOnLoop { $0.closeAsSlowConsumer() } }
  }

  func subscriptionDidEnd(with errors: [GraphQLError]) {
    socket.assumeOnLoop { $0.operationDidEnd(self, with: errors) }
  }

  /// Sends the response of a query or mutation.
  func answer(_ response: consuming ByteBuffer) {
    send(part: response)
    connection.assumeOnLoop { $0.send(text: ServerMessage.complete(id)) }
  }

  /// Sends a part of a response that is delivered incrementally.
  func send(part: consuming ByteBuffer) {
    var part: ByteBuffer? = consume part
    connection.assumeOnLoop { connection in
      guard let part = part.take() else { return }
      connection.send(text: part, after: head, before: ServerMessage.nextTail)
    }
  }
}
