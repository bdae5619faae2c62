import Synchronization

/// Limits the memory of all large responses of a server, on all of its loops.
final class LargeResponseBytes: Sendable {
  /// The reservation for one response, released with this value.
  final class Admission: Sendable {
    private let count: Int
    private let bytes: LargeResponseBytes

    fileprivate init(_ count: Int, of bytes: LargeResponseBytes) {
      self.count = count
      self.bytes = bytes
    }

    deinit { bytes.taken.subtract(count, ordering: .relaxed) }
  }

  private let limit: Int
  private let taken = Atomic<Int>(0)

  init(limit: Int) { self.limit = limit }

  /// Reserves `count` bytes; nil if the limit would be exceeded.
  func admit(_ count: Int) -> Admission? {
    let admission = Admission(count, of: self)
    return taken.add(count, ordering: .relaxed).newValue <= limit ? admission : nil
  }
}
