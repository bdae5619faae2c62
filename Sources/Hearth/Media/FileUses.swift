/// When the files of a cache were used, and their total size.
struct FileUses<Key: Hashable & Sendable>: Sendable {
  private struct File: Sendable {
    let bytes: Int
    /// The number of the use: a later one is higher.
    var lastUse: UInt64
    /// The time of the file in seconds since 1970, by which the next start orders the files.
    var time: Int64
  }

  /// How old the time of a file may become while it is used, in seconds.
  private static var accuracy: Int64 { 3_600 }

  private var files: [Key: File] = [:]
  private var uses: UInt64 = 0
  /// The number of bytes of all files.
  private(set) var bytes = 0

  /// Adds a file that is used now.
  mutating func add(_ key: Key, bytes: Int, at time: Int64) {
    uses += 1
    self.bytes += bytes - (files[key]?.bytes ?? 0)
    files[key] = File(bytes: bytes, lastUse: uses, time: time)
  }

  /// Records that a file is used. Returns whether the time of the file must be set; nil if there is no such file.
  mutating func use(_ key: Key, at now: Int64) -> Bool? {
    guard let time = files[key]?.time else { return nil }
    let isStale = now - time > Self.accuracy
    uses += 1
    files[key]?.lastUse = uses
    if isStale { files[key]?.time = now }
    return isStale
  }

  mutating func remove(_ key: Key) { bytes -= files.removeValue(forKey: key)?.bytes ?? 0 }

  /// Removes the files that were not used for the longest time, and returns them, if there are more than `limit` bytes.
  /// They are a tenth more than necessary, because all files are sorted for it.
  mutating func shrink(to limit: Int) -> [Key] {
    guard bytes > limit else { return [] }
    var removed: [Key] = []
    for (key, _) in files.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
      guard bytes > limit / 10 * 9 else { break }
      remove(key)
      removed.append(key)
    }
    return removed
  }
}
