import Bytes

/// What an event is answered with, made once for all who are given the same.
package final class SubscriptionResponse: Sendable {
  /// The response as JSON. Where the event has a position, `extensions` has it too:
  /// `"extensions":{"position":"17"}`, and `"replayed":true` where the client may have seen it.
  package let json: [UInt8]
  /// Positions are compared by number, and sent as text.
  let position: Int64?
  package let positionText: String?

  init(_ response: consuming ByteBuffer, to event: SourceEvent, _ context: any ExecutionContext) {
    var response = response
    position = event.position
    positionText = event.position.map(context.text(ofPosition:))
    if let positionText {
      // The engine itself writes no extensions: they follow what is there, before the closing brace.
      response.truncate(to: response.count - 1)
      response.append(",\"extensions\":{\"position\":\"")
      response.append(positionText)
      response.append(event.isReplay ? "\",\"replayed\":true}}" : "\"}}")
    }
    json = response.array()
  }
}
