import Logging
import Synchronization

/// The picture files of a server with a PostgreSQL database: copies of what is in the database, up to a total size.
/// Those that were not used for the longest time are removed first. All methods block, so they must not be called on an
/// event loop.
final class PictureCopies: Sendable {
  private let folder: MediaFolder
  private let limit: Int
  private let cache: FileCache<PictureHash>
  private let log: Logger
  private let isFailing = Atomic(false)

  /// - Parameter limit: the maximum number of bytes of all files.
  init(_ folder: MediaFolder, limit: Int, log: Logger) {
    self.folder = folder
    self.limit = limit
    self.log = log
    cache = FileCache(limit: limit) { hash in folder.path(of: hash) }
  }

  /// The number of bytes of all files.
  var byteCount: Int { cache.byteCount }

  /// Learns which files there are. Must be called once, before others.
  func load() {
    var hashes: [PictureHash] = []
    folder.forEachFile { hashes.append($0) }
    cache.load(hashes)
  }

  /// Returns nil if there is no copy.
  func read(_ hash: PictureHash) throws(MediaFolder.Failure) -> [UInt8]? {
    guard let content = try folder.read(hash) else { return nil }
    cache.touch(hash)
    return content
  }

  /// Adds the copy of a picture. One that cannot be written, as on a full disk, only costs time. The first of several
  /// failures is logged.
  func add(_ content: ArraySlice<UInt8>, as hash: PictureHash) {
    // Otherwise it would remove all others, and then itself.
    guard content.count <= limit else { return }
    do throws(MediaFolder.Failure) {
      try folder.write(content, as: hash)
      cache.add(hash, bytes: content.count)
      isFailing.store(false, ordering: .relaxed)
    } catch {
      guard !isFailing.exchange(true, ordering: .relaxed) else { return }
      log.error(
        "Copies of pictures cannot be kept, which are read from the database instead.",
        metadata: ["error": "\(error)"]
      )
    }
  }

  /// Removes the copy of a picture.
  func remove(_ hash: PictureHash) { cache.remove([hash]) }
}
