import Bytes

/// The response to an event, created once for all subscriptions of a group.
package final class SubscriptionResponse: Sendable {
  /// The response as JSON. If the event has a position, `extensions` contains it: `"extensions":{"position":"17"}`.
  /// They contain `"replayed":true` instead if the client may have received the event before.
  package let json: [UInt8]
  /// Positions are compared as numbers and sent as text.
  let position: Int64?
  /// Nil for a replayed event too: a client resumes after the last position that it received, and that of a replayed
  /// event is not after it.
  package let positionText: String?

  init(_ response: consuming ByteBuffer, to event: SourceEvent, in context: any ExecutionContext) {
    var response = response
    position = event.position
    positionText = event.isReplay ? nil : event.position.map(context.text(ofPosition:))
    // The engine itself writes no extensions.
    if event.isReplay {
      response.append(extensions: "{\"replayed\":true}")
    } else if let positionText {
      response.append(extensions: "{\"position\":\"\(positionText)\"}")
    }
    json = response.array()
  }
}
