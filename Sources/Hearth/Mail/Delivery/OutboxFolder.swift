import Basics
import Glibc

/// A folder into which each mail is written as an `.eml` file, for inspection or for another program.
struct OutboxFolder: MailTransport {
  let path: String

  /// A file is written atomically and survives a power failure.
  func send(_ message: MailMessage, sequence: Int64) throws(MailFailure) {
    if mkdir(path, 0o700) != 0, errno != EEXIST { throw Self.failure(to: "create", path) }
    let number = String(sequence)
    let name = String(repeating: "0", count: max(0, 9 - number.count)) + number + "-" + message.identifier.prefix(8)
    let temporary = "\(path)/.\(name).tmp"
    let file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw Self.failure(to: "create", temporary) }
    let isWritten = FileCalls.write(message.bytes[...], to: file) && fsync(file) == 0
    close(file)
    let mail = "\(path)/\(name).eml"
    guard isWritten, rename(temporary, mail) == 0 else { throw Self.failure(to: "write", mail) }
    guard FileCalls.synchronizeFolder(path) else { throw Self.failure(to: "write", path) }
  }

  /// Writing a file does not take long enough to be cancelled.
  func stop() {}

  private static func failure(to action: String, _ path: String) -> MailFailure {
    MailFailure(description: FileCalls.failure(to: action, path))
  }
}
