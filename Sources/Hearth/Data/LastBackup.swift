import CFileStatus
import Foundation
import Glibc

/// When the data was last backed up: the modification time of an empty file in the data folder.
enum LastBackup {
  /// Notes that a backup has succeeded. A failure is ignored: the backup itself is complete.
  static func note(in directory: String) {
    let file = open(DataFile.lastBackup.path(in: directory), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { return }
    futimens(file, nil)
    close(file)
  }

  /// Nil if no backup is known.
  static func date(in directory: String) -> Date? {
    var status = file_status()
    guard file_status_of(DataFile.lastBackup.path(in: directory), &status) == 0 else { return nil }
    return Date(timeIntervalSince1970: Double(status.modified / 1_000_000_000))
  }
}
