import CFileStatus
import Glibc
import Synchronization

/// The picture files of a server with a PostgreSQL database: copies of what is in the database, up to a total size.
/// Those that were not used for the longest time are removed first. All methods block, so they must not be called on an
/// event loop.
final class PictureCopies: Sendable {
  private let folder: MediaFolder
  private let limit: Int
  private let uses = Mutex(FileUses<PictureHash>())

  /// - Parameter limit: the maximum number of bytes of all files.
  init(_ folder: MediaFolder, limit: Int) {
    self.folder = folder
    self.limit = limit
  }

  /// The number of bytes of all files.
  var byteCount: Int { uses.withLock { $0.bytes } }

  /// Learns which files there are. Must be called once, before others.
  func load() {
    var found: [(hash: PictureHash, bytes: Int, time: Int64)] = []
    folder.forEachFile { hash in
      var status = file_status()
      guard file_status_of(folder.path(of: hash), &status) == 0 else { return }
      found.append((hash, Int(status.size), status.modified / 1_000_000_000))
    }
    found.sort { $0.time < $1.time }
    uses.withLock { uses in
      for file in found { uses.add(file.hash, bytes: file.bytes, at: file.time) }
      shrink(&uses)
    }
  }

  /// Returns nil if there is no copy.
  func read(_ hash: PictureHash) throws(MediaFolder.Failure) -> [UInt8]? {
    guard let content = try folder.read(hash) else { return nil }
    if uses.withLock({ $0.use(hash, at: Int64(time(nil))) }) == true { utimes(folder.path(of: hash), nil) }
    return content
  }

  func add(_ content: ArraySlice<UInt8>, as hash: PictureHash) throws(MediaFolder.Failure) {
    // Otherwise it would remove all others, and then itself.
    guard content.count <= limit else { return }
    try folder.write(content, as: hash)
    uses.withLock { uses in
      uses.add(hash, bytes: content.count, at: Int64(time(nil)))
      shrink(&uses)
    }
  }

  /// Removes the copy of a picture.
  func remove(_ hash: PictureHash) {
    uses.withLock { uses in
      folder.remove(hash)
      uses.remove(hash)
    }
  }

  private func shrink(_ uses: inout FileUses<PictureHash>) {
    for hash in uses.shrink(to: limit) { folder.remove(hash) }
  }
}
