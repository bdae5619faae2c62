import CFileStatus
import Glibc
import Logging

/// Only the owner can read the data: it contains keys, password hashes, addresses and pictures of children.
///
/// Files are created with mode 0600 and folders with 0700. An older version or a copy may have left wider modes. The
/// server corrects those at the start for the entries of the data folder itself. The folders among them then protect
/// their contents.
enum PrivateFiles {
  static func tighten(in directory: String, log: Logger) {
    for file in DataFile.allCases {
      let path = file.path(in: directory)
      guard let mode = mode(of: path), isOpenToOthers(mode) else { continue }
      if chmod(path, mode & 0o700) == 0 {
        log.notice(
          "A part of the data was readable by other users. Its mode was corrected.",
          metadata: ["path": "\(path)"]
        )
      } else {
        log.warning(
          "A part of the data is readable by other users, and its mode cannot be changed.",
          metadata: ["path": "\(path)", "mode": "\(String(mode, radix: 8))"]
        )
      }
    }
    if let mode = mode(of: directory), isOpenToOthers(mode) {
      log.warning(
        "Other users of this machine can read the data folder. Run: chmod 700 \(directory)",
        metadata: ["mode": "\(String(mode, radix: 8))"]
      )
    }
  }

  /// Returns nil if the file does not exist.
  private static func mode(of path: String) -> UInt32? {
    var status = file_status()
    return file_status_of(path, &status) == 0 ? status.mode : nil
  }

  private static func isOpenToOthers(_ mode: UInt32) -> Bool { mode & 0o077 != 0 }
}
