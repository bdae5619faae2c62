/// Documents that clients have sent once with their SHA-256, to name them by it from then on: Apollo's automatic
/// persisted queries. Bounded in number and bytes; a client whose document was dropped is told so, and sends it again.
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
    // One alone may not drive out all others.
    guard document.count <= Self.maximumBytes / 16, entries[Array(hash)] == nil else { return }
    while !entries.isEmpty, entries.count >= Self.maximumCount || byteCount + document.count > Self.maximumBytes {
      evict()
    }
    entries[Array(hash)] = Entry(document: document, lastUse: clock)
    byteCount += document.count
  }

  /// Drops the older half: rarely done, and so cheap on the whole.
  private mutating func evict() {
    let uses = entries.values.map(\.lastUse).sorted()
    let median = uses[uses.count / 2]
    entries = entries.filter { $0.value.lastUse > median }
    byteCount = entries.values.reduce(0) { $0 + $1.document.count }
  }
}
