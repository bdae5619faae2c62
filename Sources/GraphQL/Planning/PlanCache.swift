import Glibc

/// Prepared operations by the bytes that asked for them, so that a document is parsed, validated and planned once. One
/// for each loop and confined to it; bounded in entries and in bytes.
///
/// The bytes are compared in full: two documents whose hashes meet are two documents. The hash is seeded anew in every
/// process, so nobody can prepare documents that all meet.
package struct PlanCache {
  /// A class, so that noting a use changes one word and not the table.
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

  /// `maximumBytes` is for documents and their plans together.
  package init(maximumCount: Int = 1000, maximumBytes: Int = 64 << 20) {
    self.maximumCount = max(maximumCount, 1)
    self.maximumBytes = maximumBytes
  }

  package mutating func operation(for bytes: ArraySlice<UInt8>, named name: String?) -> PreparedOperation? {
    clock &+= 1
    // What is in it has grown since, by the plans that requests had it make.
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
    // Two requests may have prepared the same document at once.
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

  /// Drops the older half: rarely done, and so cheap on the whole, where keeping an order on every use would not be.
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

/// How many bytes what a cache keeps takes altogether.
final class CacheFootprint {
  var bytes = 0
}
