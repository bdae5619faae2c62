import Bytes

/// What an event is answered with, made once for all who are given the same.
package final class SubscriptionResponse: Sendable {
  /// The response as JSON. Where the event has a position, `extensions` has it too:
  /// `"extensions":{"position":"17"}`, and `"replayed":true` where the client may have seen it.
  package let json: [UInt8]
  package let position: Int64?

  init(_ response: consuming ByteBuffer, to event: SourceEvent) {
    var response = response
    position = event.position
    if let position = event.position {
      // The engine itself writes no extensions: they follow what is there, before the closing brace.
      response.truncate(to: response.count - 1)
      response.append(",\"extensions\":{\"position\":\"")
      response.append(decimal: position)
      response.append(event.isReplay ? "\",\"replayed\":true}}" : "\"}}")
    }
    json = response.array()
  }
}
