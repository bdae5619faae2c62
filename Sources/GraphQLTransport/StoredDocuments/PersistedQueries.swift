/// Apollo's automatic persisted queries: documents that clients send once with their SHA-256 and name by it from then
/// on. Bounded in number and bytes. If a document was evicted, its client gets an error and sends it again.
struct PersistedQueries {
  private struct Entry {
    let document: [UInt8]
    var lastUse: UInt64
  }

  static let maximumCount = 2000
  static let maximumBytes = 16 << 20
  private var entries: [[UInt8]: Entry] = [:]
  private(set) var byteCount = 0
  private var clock: UInt64 = 0

  var count: Int { entries.count }

  mutating func document(for hash: ArraySlice<UInt8>) -> [UInt8]? {
    clock &+= 1
    let hash = Array(hash)
    entries[hash]?.lastUse = clock
    return entries[hash]?.document
  }

  mutating func insert(_ document: [UInt8], for hash: ArraySlice<UInt8>) {
    clock &+= 1
    // A single document must not evict all others.
    guard document.count <= Self.maximumBytes / 16, entries[Array(hash)] == nil else { return }
    while !entries.isEmpty, entries.count >= Self.maximumCount || byteCount + document.count > Self.maximumBytes {
      evict()
    }
    entries[Array(hash)] = Entry(document: document, lastUse: clock)
    byteCount += document.count
  }

  /// Evicts the less recently used half. This happens rarely, so that its amortized cost is low.
  private mutating func evict() {
    let uses = entries.values.map(\.lastUse).sorted()
    let median = uses[uses.count / 2]
    entries = entries.filter { $0.value.lastUse > median }
    byteCount = entries.values.reduce(0) { $0 + $1.document.count }
  }
}
