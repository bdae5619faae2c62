import CFileStatus
import Synchronization

/// The picture files that were found to match their hashes. A file is compared when it is first read after a start, and
/// again when its size or its time has changed: SHA-256 of 10 MB takes 6 ms, and four times that on processors without
/// instructions for it, which is too much for each part of a picture that a client requests. All methods block.
final class ComparedPictures: Sendable {
  private struct Version: Equatable {
    let inode: UInt64
    let size: Int64
    let modified: Int64
  }

  private static let maximumCount = 10_000
  /// No setting allows larger pictures.
  private static let maximumSize: Int64 = 1 << 30

  private let folder: MediaFolder
  private let sound = Mutex<[PictureHash: Version]>([:])

  init(_ folder: MediaFolder) { self.folder = folder }

  /// Whether a picture has a file that does not match its hash, such as after a fault of the disk. Throws if the file
  /// cannot be read.
  func isDamaged(_ hash: PictureHash) throws(MediaFolder.Failure) -> Bool {
    // Before the file is read: a change meanwhile leads to another comparison.
    guard let version = version(of: hash), sound.withLock({ $0[hash] != version }) else { return false }
    guard version.size <= Self.maximumSize else { return true }
    guard let content = try folder.read(hash) else { return false }
    guard PictureHash(of: content[...]) == hash else { return true }
    sound.withLock { sound in
      if sound.count >= Self.maximumCount { sound.removeAll() }
      sound[hash] = version
    }
    return false
  }

  private func version(of hash: PictureHash) -> Version? {
    var status = file_status()
    guard file_status_of(folder.path(of: hash), &status) == 0 else { return nil }
    return Version(inode: status.inode, size: status.size, modified: status.modified)
  }
}
