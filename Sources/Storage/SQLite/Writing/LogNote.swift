import Basics
import Glibc

/// Notes after each commit, in the record beside the database file (`UseRecord`), how far the write-ahead log reaches.
/// The next process then knows which frames the log must have.
///
/// A note is written after its commit is durable and is not flushed itself: that would take as long as the commit.
/// Within one boot a killed process loses no note. A power failure loses the last ones, so that the record states fewer
/// frames than there are, but never more.
final class LogNote {
  private let file: Int32
  private var line = LogExtent.emptyLine

  /// - Parameter database: the path of the database file, beside which the record is.
  init(beside database: String) throws(DatabaseError) {
    let path = UseRecord.path(of: database)
    file = open(path, O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { throw DatabaseError(.inputOutput, message: FileCalls.failure(to: "open", path)) }
  }

  deinit { close(file) }

  /// Returns false if it cannot be written.
  func write(_ extent: LogExtent) -> Bool {
    extent.write(into: &line)
    return pwrite(file, line, line.count, UseRecord.logOffset) == line.count
  }
}
