import Glibc

/// A cache of prepared operations by the bytes of their documents, so that a document is parsed, validated and planned
/// once. Each event loop has its own cache. It is bounded in entries and in bytes.
///
/// The bytes are compared in full, so documents with equal hashes remain distinct. The hash is seeded randomly in every
/// process, so an attacker cannot prepare documents with equal hashes.
package struct PlanCache {
  /// A class, so that recording a use changes one word and not the table.
  private final class Entry {
    let bytes: [UInt8]
    let operationName: String?
    let operation: PreparedOperation
    var lastUse: UInt64

    init(bytes: [UInt8], operationName: String?, operation: PreparedOperation, lastUse: UInt64) {
      self.bytes = bytes
      self.operationName = operationName
      self.operation = operation
      self.lastUse = lastUse
    }
  }

  private var entries: [Int: [Entry]] = [:]
  private var count = 0
  private let footprint = CacheFootprint()
  private var clock: UInt64 = 0
  private let maximumCount: Int
  private let maximumBytes: Int

  /// `maximumBytes` limits the size of the documents and their plans together.
  package init(maximumCount: Int = 1000, maximumBytes: Int = 64 << 20) {
    self.maximumCount = max(maximumCount, 1)
    self.maximumBytes = maximumBytes
  }

  package mutating func operation(for bytes: ArraySlice<UInt8>, named name: String?) -> PreparedOperation? {
    clock &+= 1
    // Requests have made plans since the operations were inserted, so the cache may have grown.
    makeRoom(for: 0)
    guard let met = entries[Self.hash(bytes)] else { return nil }
    for entry in met where entry.operationName == name && Self.isEqual(entry.bytes, bytes) {
      entry.lastUse = clock
      return entry.operation
    }
    return nil
  }

  package mutating func insert(
    _ operation: PreparedOperation,
    for bytes: ArraySlice<UInt8>,
    named name: String?
  ) {
    let hash = Self.hash(bytes)
    // Two requests may have prepared the same document concurrently.
    let isKnown = entries[hash]?.contains { $0.operationName == name && Self.isEqual($0.bytes, bytes) }
    guard isKnown != true, bytes.count * 2 + operation.byteCount <= maximumBytes / 8 else { return }
    makeRoom(for: 1)
    entries[hash, default: []].append(
      Entry(bytes: Array(bytes), operationName: name, operation: operation, lastUse: clock)
    )
    count += 1
    operation.footprint = footprint
    footprint.bytes += bytes.count
  }

  private mutating func makeRoom(for further: Int) {
    while count > 0, count + further > maximumCount || footprint.bytes > maximumBytes { evict() }
  }

  /// Evicts the least recently used half. This is rare and therefore cheap on average, unlike maintaining an order on
  /// every use.
  private mutating func evict() {
    let uses = entries.values.joined().map(\.lastUse).sorted()
    guard !uses.isEmpty else { return }
    let median = uses[uses.count / 2]
    for (hash, list) in entries {
      let kept = list.filter { $0.lastUse > median }
      for entry in list where entry.lastUse <= median {
        entry.operation.footprint = nil
        footprint.bytes -= entry.bytes.count
        count -= 1
      }
      entries[hash] = kept.isEmpty ? nil : kept
    }
  }

  private static func hash(_ bytes: ArraySlice<UInt8>) -> Int {
    var hasher = Hasher()
    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    return hasher.finalize()
  }

  private static func isEqual(_ one: [UInt8], _ other: ArraySlice<UInt8>) -> Bool {
    one.withUnsafeBytes { one in
      other.withUnsafeBytes { other in
        guard let first = one.baseAddress, let second = other.baseAddress else { return one.count == other.count }
        return one.count == other.count && memcmp(first, second, one.count) == 0
      }
    }
  }
}

/// The total size of the contents of a cache.
final class CacheFootprint {
  var bytes = 0
}
