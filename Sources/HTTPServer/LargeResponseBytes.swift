import Synchronization

/// How many bytes the long responses of a server may have together on all of its loops: what clients can make it hold
/// is bounded, however many of them come.
final class LargeResponseBytes: Sendable {
  /// Room for one response, given back with this value.
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

  /// Nil when there is no room.
  func admit(_ count: Int) -> Admission? {
    let admission = Admission(count, of: self)
    return taken.add(count, ordering: .relaxed).newValue <= limit ? admission : nil
  }
}
