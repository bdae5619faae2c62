import CFileStatus
import Glibc
import Synchronization

/// The files of sizes, up to a total size: those that were not used for the longest time are removed first. They can be
/// made again, so they are in no backup. All methods block, so they must not be called on an event loop.
///
/// A size never outlives its picture. Callers that remove a picture's file call `remove` afterwards. A file that is
/// added meanwhile finds that the picture has gone, and is removed by `add`, or else by `remove`, which comes later.
final class ScaledPictureCache: Sendable {
  private struct Scaled: Hashable, Sendable {
    let hash: PictureHash
    let size: PictureSize
  }

  private let folder: MediaFolder
  private let originals: MediaFolder
  private let limit: Int
  private let uses = Mutex(FileUses<Scaled>())

  /// - Parameter limit: the maximum number of bytes of all files.
  init(_ folder: MediaFolder, of originals: MediaFolder, limit: Int) {
    self.folder = folder
    self.originals = originals
    self.limit = limit
  }

  /// The number of bytes of all files.
  var byteCount: Int { uses.withLock { $0.bytes } }

  /// Learns which files there are, and removes those whose picture has gone. Must be called once, before others.
  func load() throws(MediaFolder.Failure) {
    try folder.prepare()
    var found: [(hash: PictureHash, size: PictureSize, bytes: Int, time: Int64)] = []
    folder.forEachSize { hash, size in
      var status = file_status()
      guard originals.has(hash), file_status_of(folder.path(of: hash, size), &status) == 0 else {
        return folder.remove(hash, size: size)
      }
      found.append((hash, size, Int(status.size), status.modified / 1_000_000_000))
    }
    found.sort { $0.time < $1.time }
    uses.withLock { uses in
      for file in found { uses.add(Scaled(hash: file.hash, size: file.size), bytes: file.bytes, at: file.time) }
      shrink(&uses)
    }
  }

  /// Returns nil if there is no such file.
  func read(_ hash: PictureHash, size: PictureSize) throws(MediaFolder.Failure) -> [UInt8]? {
    let isStale = uses.withLock { $0.use(Scaled(hash: hash, size: size), at: Int64(time(nil))) }
    guard let isStale else { return nil }
    if isStale { utimes(folder.path(of: hash, size), nil) }
    return try folder.read(hash, size: size)
  }

  /// Adds a file, unless the picture has gone.
  func add(_ content: [UInt8], as hash: PictureHash, _ size: PictureSize) throws(MediaFolder.Failure) {
    try folder.write(content[...], as: hash, size)
    uses.withLock { uses in
      guard originals.has(hash) else { return folder.remove(hash, size: size) }
      uses.add(Scaled(hash: hash, size: size), bytes: content.count, at: Int64(time(nil)))
      shrink(&uses)
    }
  }

  /// Removes the sizes of a picture whose file has been removed.
  func remove(_ hash: PictureHash) {
    uses.withLock { uses in
      for size in PictureSize.allCases {
        folder.remove(hash, size: size)
        uses.remove(Scaled(hash: hash, size: size))
      }
    }
  }

  private func shrink(_ uses: inout FileUses<Scaled>) {
    for file in uses.shrink(to: limit) { folder.remove(file.hash, size: file.size) }
  }
}
