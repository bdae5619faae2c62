import Glibc

/// A folder into which each mail is written as an `.eml` file, for inspection or for another program.
struct OutboxFolder: MailTransport {
  let path: String

  /// A file is written atomically and survives a power failure.
  func send(_ message: Message, sequence: Int64) throws(MailFailure) {
    if mkdir(path, 0o700) != 0, errno != EEXIST { throw failure("make the folder") }
    let number = String(sequence)
    let name = String(repeating: "0", count: max(0, 9 - number.count)) + number + "-" + message.identifier.prefix(8)
    let temporary = "\(path)/.\(name).tmp"
    let file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw failure("make a file") }
    let isWritten = Self.write(message.bytes, to: file) && fsync(file) == 0
    close(file)
    guard isWritten, rename(temporary, "\(path)/\(name).eml") == 0 else { throw failure("write a file") }
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw failure("open the folder") }
    defer { close(folder) }
    guard fsync(folder) == 0 else { throw failure("write the folder") }
  }

  /// Writing a file does not take long enough to be cancelled.
  func stop() {}

  private static func write(_ bytes: [UInt8], to file: Int32) -> Bool {
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      written += count
    }
    return true
  }

  private func failure(_ action: String) -> MailFailure {
    MailFailure(description: "Could not \(action) in \(path): \(String(cString: strerror(errno)))")
  }
}
