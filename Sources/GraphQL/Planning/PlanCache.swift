/// Prepared operations by the bytes that asked for them, so that a document is parsed, validated and planned once. One
/// for each loop and confined to it; bounded in entries and in bytes.
///
/// The bytes are compared in full: two documents whose hashes meet are two documents. The hash is seeded anew in every
/// process, so nobody can prepare documents that all meet.
package struct PlanCache {
  private struct Entry {
    let bytes: [UInt8]
    let operationName: String?
    let operation: PreparedOperation
    var lastUse: UInt64
  }

  private var entries: [Int: [Entry]] = [:]
  private var count = 0
  private var clock: UInt64 = 0
  private let maximumCount: Int
  private let maximumBytes: Int

  /// `maximumBytes` is for documents and their plans together.
  package init(maximumCount: Int = 1000, maximumBytes: Int = 64 << 20) {
    self.maximumCount = max(maximumCount, 1)
    self.maximumBytes = maximumBytes
  }

  package mutating func operation(for bytes: UnsafeRawBufferPointer, named name: String?) -> PreparedOperation? {
    clock &+= 1
    let hash = Self.hash(bytes)
    guard let places = entries[hash]?.indices else { return nil }
    for place in places {
      guard let entry = entries[hash]?[place], entry.bytes.count == bytes.count, entry.operationName == name,
        entry.bytes.withUnsafeBytes({ $0.elementsEqual(bytes) })
      else { continue }
      entries[hash]?[place].lastUse = clock
      return entry.operation
    }
    return nil
  }

  package mutating func insert(
    _ operation: PreparedOperation,
    for bytes: UnsafeRawBufferPointer,
    named name: String?
  ) {
    let hash = Self.hash(bytes)
    // Two requests may have prepared the same document at once.
    let isKnown = entries[hash]?.contains {
      $0.operationName == name && $0.bytes.withUnsafeBytes { $0.elementsEqual(bytes) }
    }
    guard isKnown != true, bytes.count * 2 + operation.byteCount <= maximumBytes / 8 else { return }
    // Operations grow with the plans that requests have them make, so they are weighed when one is added.
    var byteCount = self.byteCount
    while count > 0, count >= maximumCount || byteCount > maximumBytes {
      evict()
      byteCount = self.byteCount
    }
    entries[hash, default: []].append(
      Entry(bytes: Array(bytes), operationName: name, operation: operation, lastUse: clock)
    )
    count += 1
  }

  private var byteCount: Int {
    entries.values.joined().reduce(0) { $0 + $1.bytes.count + $1.operation.byteCount }
  }

  /// Drops the older half: rarely done, and so cheap on the whole, where keeping an order on every use would not be.
  private mutating func evict() {
    let uses = entries.values.joined().map(\.lastUse).sorted()
    guard !uses.isEmpty else { return }
    let median = uses[uses.count / 2]
    for (hash, list) in entries {
      let kept = list.filter { $0.lastUse > median }
      count -= list.count - kept.count
      entries[hash] = kept.isEmpty ? nil : kept
    }
  }

  private static func hash(_ bytes: UnsafeRawBufferPointer) -> Int {
    var hasher = Hasher()
    hasher.combine(bytes: bytes)
    return hasher.finalize()
  }
}
