import Foundation

/// An incremental parser of `text/event-stream` (HTML, section 9.2.6), however the bytes are split.
struct ServerSentEvents {
  struct Event: Equatable {
    var name = ""
    var data = Data()
    var id: String?
    /// The position to resume from; nil if the `id` is empty, as on a server without positions.
    var position: String? { id?.isEmpty == false ? id : nil }
  }

  private var line = Data()
  private var event = Event()
  private var hasData = false
  /// The reconnection delay that the server requests, in milliseconds.
  private(set) var retry: Int?

  mutating func receive(_ bytes: Data) -> [Event] {
    var events: [Event] = []
    for byte in bytes {
      guard byte == UInt8(ascii: "\n") else {
        line.append(byte)
        continue
      }
      if line.last == UInt8(ascii: "\r") { line.removeLast() }
      if line.isEmpty {
        // A block that contains only an `id`, the current position, counts as an event here.
        if hasData || event != Event() { events.append(event) }
        event = Event()
        hasData = false
      } else {
        read(line)
      }
      line = Data()
    }
    return events
  }

  private mutating func read(_ line: Data) {
    let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
    let field = String(decoding: line[..<colon], as: UTF8.self)
    var value = line[colon...].dropFirst()
    if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
    switch field {
    case "event": event.name = String(decoding: value, as: UTF8.self)
    case "id": event.id = String(decoding: value, as: UTF8.self)
    case "retry": retry = Int(String(decoding: value, as: UTF8.self))
    case "data":
      if hasData { event.data.append(UInt8(ascii: "\n")) }
      event.data += value
      hasData = true
    default: break
    }
  }
}
