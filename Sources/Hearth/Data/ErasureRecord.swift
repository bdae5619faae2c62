import Basics
import Glibc
import Synchronization

/// The file `erasures` in the data folder: who was erased, as a key and the moment of its creation. It is not part of
/// the database, so that the erasures of people whom an older backup still contains are repeated after a restore.
///
/// The moment distinguishes people with the same key. After a restore by an earlier version, or of a PostgreSQL
/// database without `hearth migrate --restored`, the keys of people who have registered since the backup are allocated
/// again.
final class ErasureRecord: Sendable {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  struct Entry: Hashable, Sendable {
    let key: GlobalID
    /// In milliseconds.
    let createdAt: Int64
  }

  private let path: String
  private let lock = Mutex(())

  /// - Parameter directory: a data folder, or the folder of a backup.
  init(in directory: String) { path = DataFile.erasures.path(in: directory) }

  /// All entries; none if the file does not exist. A line that a crash has cut off is ignored: the erasure is in the
  /// database, and is recorded again at the next start.
  func entries() throws(Failure) -> Set<Entry> {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      if errno == ENOENT { return [] }
      throw failure(to: "read")
    }
    defer { close(file) }
    guard let bytes = FileCalls.readAll(file) else { throw failure(to: "read") }
    return Set(bytes.split(separator: UInt8(ascii: "\n")).compactMap(Self.entry))
  }

  /// Returns once the entries are durable.
  func append(_ entries: some Collection<Entry>) throws(Failure) {
    guard !entries.isEmpty else { return }
    let isWritten = lock.withLock { _ in
      let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
      guard file >= 0 else { return false }
      defer { close(file) }
      // The empty line ends one that a crash has cut off.
      let text = entries.reduce(into: "\n") { $0 += "\($1.key.rawValue) \($1.createdAt) .\n" }
      // The file may be new.
      return FileCalls.write(Array(text.utf8)[...], to: file) && fsync(file) == 0
        && FileCalls.synchronizeFolder(FileCalls.folder(of: path))
    }
    guard isWritten else { throw failure(to: "write") }
  }

  private static func entry(_ line: ArraySlice<UInt8>) -> Entry? {
    let words = String(decoding: line, as: UTF8.self).split(separator: " ")
    // The full stop shows that the line is complete.
    guard words.count == 3, words[2] == ".", let key = Int64(words[0]), let createdAt = Int64(words[1]) else {
      return nil
    }
    return Entry(key: GlobalID(rawValue: key), createdAt: createdAt)
  }

  private func failure(to action: String) -> Failure { Failure(description: FileCalls.failure(to: action, path)) }
}
