import Bytes
import Glibc
import Synchronization

/// The responses to each group's latest queries, which are sent again to equal requests as long as they are valid
/// (`ResponseAudiences`). Confined to a loop.
///
/// It is bounded in bytes, in total and for each group. A group also has few responses, so a lookup compares few keys
/// whatever clients send, and a caller can displace only the responses of its group and, once for each group, those of
/// others.
///
/// It is not generic, because the runner's code is not specialized for its service: a search through 16 keys took 6,800
/// instructions. Only `ValidEntry` is.
struct ResponseCache {
  class Entry {
    fileprivate unowned let shelf: Shelf
    fileprivate let key: [UInt8]
    /// The fingerprint of the key.
    fileprivate let fingerprint: UInt64
    /// Who gets the response.
    fileprivate let audience: UInt64
    fileprivate let response: [UInt8]
    /// The response in gzip, once a client has asked for it; empty if compression saves nothing.
    fileprivate var compressed: [UInt8]?
    /// The hash of the response, once it was sent to a GET.
    fileprivate var hash: String?
    /// Whether the response was sent again since the entry was last considered for removal.
    fileprivate var wasUsed = false

    fileprivate init(on shelf: Shelf, key: [UInt8], audience: UInt64, response: [UInt8]) {
      self.shelf = shelf
      self.key = key
      fingerprint = key.withUnsafeBytes(ResponseCache.fingerprint)
      self.audience = audience
      self.response = response
    }

    fileprivate var byteCount: Int {
      key.count + response.count + (compressed?.count ?? 0) + ResponseCacheLimits.bytesBesideEntry
    }

    /// What the response depends on, of the type that was passed to `keep`: a cache has one type.
    final func validity<Validity>(as type: Validity.Type) -> Validity {
      unsafeDowncast(self, to: ValidEntry<Validity>.self).validity
    }
  }

  private final class ValidEntry<Validity>: Entry {
    let validity: Validity

    init(on shelf: Shelf, key: [UInt8], audience: UInt64, response: [UInt8], validity: Validity) {
      self.validity = validity
      super.init(on: shelf, key: key, audience: audience, response: response)
    }
  }

  /// An entry whose response is about to be sent, or for which a request waits: it may be removed meanwhile.
  ///
  /// `@unchecked Sendable`: it is confined to the thread of its loop. The actors of the loop pass it to one another, as
  /// they do with a `PendingRequest`.
  struct HeldEntry: @unchecked Sendable {
    let entry: Entry
    fileprivate let shelf: Shelf

    init(_ entry: Entry) {
      self.entry = entry
      shelf = entry.shelf
    }

    var response: [UInt8] { entry.response }
  }

  /// The responses of one group.
  fileprivate final class Shelf {
    let group: UInt64
    private(set) var entries: [Entry] = []
    /// The fingerprints of the entries, in the same order: comparing the keys of 64 entries took 1,900 instructions.
    private var fingerprints: [UInt64] = []
    var byteCount = ResponseCacheLimits.bytesBesideEntry
    /// Whether a response was kept or sent again since the shelf was last considered for removal.
    var wasUsed = true

    init(of group: UInt64) { self.group = group }

    func append(_ entry: Entry) {
      entries.append(entry)
      fingerprints.append(entry.fingerprint)
    }

    func remove(at index: Int) -> Entry {
      fingerprints.remove(at: index)
      return entries.remove(at: index)
    }

    func entry(of audiences: ResponseAudiences, for key: UnsafeRawBufferPointer) -> Entry? {
      let fingerprint = ResponseCache.fingerprint(of: key)
      for index in fingerprints.indices where fingerprints[index] == fingerprint {
        let entry = entries[index]
        if audiences.contains(entry.audience), ResponseCache.isEqual(entry.key, key) { return entry }
      }
      return nil
    }
  }

  private let limits: ResponseCacheLimits
  private let counts: ResponseCacheCounts
  private var byteCount = 0
  private var shelves: [UInt64: Shelf] = [:]
  /// The shelves in the order in which they are considered for removal, from `first` on.
  private var queue: [Shelf] = []
  private var first = 0

  init(_ options: ResponseCacheOptions) {
    limits = options.limits
    counts = options.counts
  }

  /// Whether responses are kept at all.
  var isOn: Bool { limits.bytes > 0 }

  /// The latest response to the requests with a key of a caller with these audiences. The caller of this function must
  /// check whether it is valid, and remove it otherwise.
  func entry(of audiences: ResponseAudiences, for key: borrowing ByteBuffer) -> Entry? {
    guard let shelf = shelves[audiences.group] else { return nil }
    return key.withUnsafeBytes { shelf.entry(of: audiences, for: $0) }
  }

  /// Without effect if the entry has been removed.
  mutating func remove(_ entry: Entry) {
    let shelf = entry.shelf
    guard shelves[shelf.group] === shelf, let index = shelf.entries.firstIndex(where: { $0 === entry }) else { return }
    remove(index, from: shelf)
  }

  /// The hash of an entry's response, from which its entity tag is made.
  func hash(of held: HeldEntry) -> String {
    let hash = held.entry.hash ?? held.response.withUnsafeBytes(ResponseFormat.hash)
    held.entry.hash = hash
    return hash
  }

  /// Records that the response of a valid entry is sent again.
  func noteUse(of entry: Entry) {
    entry.wasUsed = true
    entry.shelf.wasUsed = true
    counts.hits.wrappingAdd(1, ordering: .relaxed)
  }

  /// The response of an entry in gzip; nil if compression saves nothing. It is compressed once, and kept with the entry
  /// if there is room for it.
  mutating func compressedResponse(of held: HeldEntry, by gzip: GzipCompressor) -> [UInt8]? {
    let (entry, shelf) = (held.entry, held.shelf)
    if let known = entry.compressed { return known.isEmpty ? nil : known }
    let compressed = gzip.compressed(entry.response)
    let size = compressed?.count ?? 0
    guard shelves[shelf.group] === shelf, shelf.entries.contains(where: { $0 === entry }),
      entry.byteCount + size <= limits.bytesOfEntry
    else { return compressed }
    entry.compressed = compressed ?? []
    add(bytes: size, to: shelf)
    while shelf.byteCount > limits.bytesOfGroup { removeEntry(from: shelf) }
    while byteCount > limits.bytes { removeShelf() }
    return compressed
  }

  /// Removes the entry that another request with the key has added while this one waited, if there is one.
  mutating func removeEntry(of audiences: ResponseAudiences, for key: [UInt8]) {
    guard let shelf = shelves[audiences.group] else { return }
    if let known = key.withUnsafeBytes({ shelf.entry(of: audiences, for: $0) }) { remove(known) }
  }

  /// Keeps a response to a request for which there is no entry.
  ///
  /// - Parameter audience: one of `audiences`.
  mutating func keep<Validity>(
    _ response: borrowing ByteBuffer,
    of audiences: ResponseAudiences,
    for key: [UInt8],
    audience: UInt64,
    validity: Validity
  ) {
    let size = key.count + response.count + ResponseCacheLimits.bytesBesideEntry
    guard size <= limits.bytesOfEntry else { return }
    let shelf = shelf(of: audiences.group)
    add(
      ValidEntry(
        on: shelf,
        key: key,
        audience: audience,
        response: response.array(),
        validity: validity
      ),
      to: shelf
    )
  }

  private mutating func add(_ entry: Entry, to shelf: Shelf) {
    let size = entry.byteCount
    shelf.wasUsed = true
    while shelf.entries.count >= ResponseCacheLimits.entriesOfGroup || shelf.byteCount + size > limits.bytesOfGroup {
      removeEntry(from: shelf)
    }
    shelf.append(entry)
    add(bytes: size, to: shelf)
    while byteCount > limits.bytes { removeShelf() }
  }

  private mutating func shelf(of group: UInt64) -> Shelf {
    if let shelf = shelves[group] { return shelf }
    let shelf = Shelf(of: group)
    shelves[group] = shelf
    queue.append(shelf)
    count(bytes: shelf.byteCount)
    return shelf
  }

  /// Removes the oldest entry that was not used for about a round of the shelf, which must have one.
  private mutating func removeEntry(from shelf: Shelf) {
    while shelf.entries[0].wasUsed {
      let entry = shelf.remove(at: 0)
      entry.wasUsed = false
      shelf.append(entry)
    }
    remove(0, from: shelf)
  }

  private mutating func remove(_ index: Int, from shelf: Shelf) {
    add(bytes: -shelf.remove(at: index).byteCount, to: shelf)
  }

  /// Removes the oldest shelf that was not used for about a round of the queue, which must have one.
  private mutating func removeShelf() {
    while queue[first].wasUsed {
      queue[first].wasUsed = false
      queue.append(queue[first])
      first += 1
    }
    let shelf = queue[first]
    first += 1
    shelves[shelf.group] = nil
    count(bytes: -shelf.byteCount)
    if first > queue.count / 2 {
      queue.removeFirst(first)
      first = 0
    }
  }

  private mutating func add(bytes: Int, to shelf: Shelf) {
    shelf.byteCount += bytes
    count(bytes: bytes)
  }

  private mutating func count(bytes: Int) {
    byteCount += bytes
    counts.bytes.wrappingAdd(bytes, ordering: .relaxed)
  }

  /// Distinguishes most keys. Equal keys have the same.
  private static func fingerprint(of key: UnsafeRawBufferPointer) -> UInt64 {
    var result = UInt64(truncatingIfNeeded: key.count)
    var offset = 0
    while offset + 8 <= key.count {
      // The multiplier is 2^64 divided by the golden ratio, which spreads the bits.
      result = (result ^ key.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) &* 0x9E37_79B9_7F4A_7C15
      result ^= result >> 32
      offset += 8
    }
    while offset < key.count {
      result = (result ^ UInt64(key[offset])) &* 0x9E37_79B9_7F4A_7C15
      offset += 1
    }
    return result
  }

  private static func isEqual(_ one: [UInt8], _ other: UnsafeRawBufferPointer) -> Bool {
    guard one.count == other.count else { return false }
    return one.withUnsafeBytes { one in
      guard let first = one.baseAddress, let second = other.baseAddress else { return one.isEmpty }
      return memcmp(first, second, one.count) == 0
    }
  }
}
