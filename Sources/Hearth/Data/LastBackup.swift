import Basics
import CFileStatus
import Foundation
import Glibc

/// When the data was last backed up: the modification time of an empty file in the data folder.
enum LastBackup {
  /// Notes that a backup has succeeded. Returns what is wrong if it cannot: the backup itself is complete.
  ///
  /// The file is replaced, because after a backup by another user, such as root, it belongs to that user.
  static func note(in directory: String) -> String? {
    let path = DataFile.lastBackup.path(in: directory)
    let new = path + ".new"
    unlink(new)
    let file = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { return FileCalls.failure(to: "create", new) }
    close(file)
    guard rename(new, path) == 0 else {
      let failure = FileCalls.failure(to: "replace", path)
      unlink(new)
      return failure
    }
    return nil
  }

  /// Nil if no backup is known.
  static func date(in directory: String) -> Date? {
    var status = file_status()
    guard file_status_of(DataFile.lastBackup.path(in: directory), &status) == 0 else { return nil }
    return Date(timeIntervalSince1970: Double(status.modified / 1_000_000_000))
  }
}
