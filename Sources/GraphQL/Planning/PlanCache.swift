import Glibc

/// A cache of prepared operations by the bytes of their documents, so that a document is parsed, validated and planned
/// once. Each event loop has its own cache. It is bounded in entries and in bytes.
///
/// The bytes are compared in full, so documents with equal hashes remain distinct. The hash is seeded randomly in every
/// process, so an attacker cannot prepare documents with equal hashes.
package struct PlanCache {
  /// A class, so that recording a use changes one byte and not the table.
  private final class Entry {
    let hash: Int
    let bytes: [UInt8]
    let operationName: String?
    let operation: PreparedOperation
    /// Whether the entry was used since `hand` last passed it.
    var wasUsed = false

    init(hash: Int, bytes: [UInt8], operationName: String?, operation: PreparedOperation) {
      self.hash = hash
      self.bytes = bytes
      self.operationName = operationName
      self.operation = operation
    }

    /// A method, because a caller would retain the bytes.
    func isOf(_ other: ArraySlice<UInt8>, named name: String?) -> Bool {
      operationName == name && PlanCache.isEqual(bytes, other)
    }
  }

  private var entries: [Int: [Entry]] = [:]
  /// The entry that was used last for each length of a document, by the lowest bits of the length. Comparing a document
  /// takes a tenth of the time of hashing it, and clients send few different documents.
  private var latest = [Entry?](repeating: nil, count: 64)
  /// All entries, as a circle. See `evict()`.
  private var circle: [Entry] = []
  /// The position in `circle` of the entry that is the next candidate for eviction.
  private var hand = 0
  private let footprint = CacheFootprint()
  private let maximumCount: Int
  private let maximumBytes: Int

  /// `maximumBytes` limits the size of the documents and their plans together.
  package init(maximumCount: Int = 1000, maximumBytes: Int = 64 << 20) {
    self.maximumCount = max(maximumCount, 1)
    self.maximumBytes = maximumBytes
  }

  package mutating func operation(for bytes: ArraySlice<UInt8>, named name: String?) -> PreparedOperation? {
    // Requests have made plans since the operations were inserted, so the cache may have grown.
    makeRoom(for: 0)
    let slot = bytes.count % latest.count
    if let entry = latest[slot], entry.isOf(bytes, named: name) {
      entry.wasUsed = true
      return entry.operation
    }
    guard let met = entries[Self.hash(bytes)] else { return nil }
    for entry in met where entry.isOf(bytes, named: name) {
      entry.wasUsed = true
      latest[slot] = entry
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
    // An operation is prepared again off the loop when it needs a further plan.
    if let known = entries[hash]?.first(where: { $0.isOf(bytes, named: name) }) {
      return known.operation.adoptPlans(of: operation)
    }
    guard bytes.count * 2 + operation.byteCount <= maximumBytes / 8 else { return }
    makeRoom(for: 1)
    let entry = Entry(hash: hash, bytes: Array(bytes), operationName: name, operation: operation)
    entries[hash, default: []].append(entry)
    // Behind the hand, which considers it last.
    circle.insert(entry, at: hand)
    hand += 1
    operation.footprint = footprint
    footprint.bytes += bytes.count
  }

  private mutating func makeRoom(for further: Int) {
    while !circle.isEmpty, circle.count + further > maximumCount || footprint.bytes > maximumBytes { evict() }
  }

  /// Evicts one entry that was not used for about a round of the hand, which costs little at each use and at each
  /// eviction (the clock algorithm). Evicting many at once made other requests wait: releasing 32 MB of plans takes up
  /// to 36 ms.
  private mutating func evict() {
    while true {
      if hand >= circle.count { hand = 0 }
      guard circle[hand].wasUsed else { break }
      circle[hand].wasUsed = false
      hand += 1
    }
    let evicted = circle.remove(at: hand)
    let slot = evicted.bytes.count % latest.count
    if latest[slot] === evicted { latest[slot] = nil }
    evicted.operation.footprint = nil
    footprint.bytes -= evicted.bytes.count
    entries[evicted.hash]?.removeAll { $0 === evicted }
    if entries[evicted.hash]?.isEmpty == true { entries[evicted.hash] = nil }
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
