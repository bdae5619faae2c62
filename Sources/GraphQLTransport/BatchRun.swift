import Bytes
import JSON

/// A batch that is being executed: its requests, and the responses so far.
///
/// `@unchecked Sendable`: only used on the loop of its handler, by the task of one connection.
final class BatchRun: @unchecked Sendable {
  private let requests: [JSONValue]
  /// The number of requests that were taken.
  private var takenCount = 0
  private var responses = ByteBuffer()
  /// The bytes of responses that count as unsent.
  private var countedBytes = 0
  /// Fewer bytes are not counted: the connection itself may use as many.
  private static let freeBytes = 64 << 10

  init(_ requests: [JSONValue]) { self.requests = requests }

  /// The size of the responses so far.
  var byteCount: Int { responses.count }

  /// Whether the request that was taken last is the first one.
  var isAtFirst: Bool { takenCount == 1 }

  /// Takes the next request, whose response must be appended; nil after the last one.
  func next() -> JSONValue? {
    guard takenCount < requests.count else { return nil }
    responses.append(takenCount == 0 ? UInt8(ascii: "[") : UInt8(ascii: ","))
    takenCount += 1
    return requests[takenCount - 1]
  }

  func append(_ response: borrowing ByteBuffer) { responses.append(response) }
  func append(_ response: [UInt8]) { responses.append(response) }

  /// Notes that the responses so far count as unsent, and returns their size; nil if there is little to count.
  func countUnsent() -> Int? {
    guard responses.count - countedBytes > Self.freeBytes else { return nil }
    countedBytes = responses.count
    return countedBytes
  }

  /// The list of responses, after the last one.
  func takeResponses() -> ByteBuffer {
    responses.append("]")
    var taken = ByteBuffer()
    swap(&taken, &responses)
    return taken
  }
}
