import CFileStatus
import Glibc
import Synchronization

/// The files that a cache has, up to a total size: those that were not used for the longest time are removed first. The
/// owner writes and reads them. All methods block, so they must not be called on an event loop.
final class FileCache<Key: Hashable & Sendable>: Sendable {
  private let limit: Int
  private let path: @Sendable (Key) -> String
  private let uses = Mutex(FileUses<Key>())

  /// - Parameters:
  ///   - limit: the maximum number of bytes of all files.
  ///   - path: returns the path of a file.
  init(limit: Int, path: @escaping @Sendable (Key) -> String) {
    self.limit = limit
    self.path = path
  }

  /// The number of bytes of all files.
  var byteCount: Int { uses.withLock { $0.bytes } }

  /// Learns which files there are. Must be called once, before others.
  func load(_ keys: [Key]) {
    var found: [(key: Key, bytes: Int, time: Int64)] = []
    for key in keys {
      var status = file_status()
      guard file_status_of(path(key), &status) == 0 else { continue }
      found.append((key, Int(status.size), status.modified / 1_000_000_000))
    }
    found.sort { $0.time < $1.time }
    uses.withLock { uses in
      for file in found { uses.add(file.key, bytes: file.bytes, at: file.time) }
      shrink(&uses)
    }
  }

  /// Records that a file is used. Returns false if the cache does not have it.
  @discardableResult
  func touch(_ key: Key) -> Bool {
    guard let isStale = uses.withLock({ $0.use(key, at: Int64(time(nil))) }) else { return false }
    if isStale { utimes(path(key), nil) }
    return true
  }

  /// Adds a file that was written, or removes it if `isObsolete`, which is called under the lock that `remove` takes.
  func add(_ key: Key, bytes: Int, unless isObsolete: () -> Bool = { false }) {
    uses.withLock { uses in
      guard !isObsolete() else { return removeFile(key) }
      uses.add(key, bytes: bytes, at: Int64(time(nil)))
      shrink(&uses)
    }
  }

  /// Removes files, also those that were written and not added.
  func remove(_ keys: [Key]) {
    uses.withLock { uses in
      for key in keys {
        removeFile(key)
        uses.remove(key)
      }
    }
  }

  private func shrink(_ uses: inout FileUses<Key>) {
    for key in uses.shrink(to: limit) { removeFile(key) }
  }

  private func removeFile(_ key: Key) { unlink(path(key)) }
}
