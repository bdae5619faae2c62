import Basics
import Glibc

/// The state of a database before it is opened, determined from its files and from the record of the last process
/// (`UseRecord`).
///
/// It does not detect a log that is lost together with the record, a log of the right size with other content, or a
/// page that the disk has corrupted without a write.
///
/// It is determined before SQLite opens the file, because SQLite creates an empty log if there is none.
struct LastUse: Equatable {
  enum Finding: Equatable {
    /// The file does not exist or is empty.
    case new
    /// Neither another program nor a power failure can have changed the file.
    case trusted
    /// All pages are checked before the first write.
    case doubtful(Doubt)
  }

  enum Doubt: String {
    case unrecorded = "its last use is not recorded, as after restoring a backup"
    case changed = "the file has changed since the last server closed it"
    case logMissing = "its write-ahead log is missing"
    case machineStopped = "the machine stopped while it was in use"

    /// Whether commits that were acknowledged can be missing from the file. A stopped machine loses none: each commit
    /// is flushed before it is acknowledged.
    var canLackCommits: Bool { self != .machineStopped }
  }

  let finding: Finding
  /// Whether commits are lost because the write-ahead log is missing, although the last process had not emptied it.
  let hasLostLog: Bool
  /// Whether the write-ahead log is of another file: a backup has replaced the database, but not its log. SQLite would
  /// read the pages of the log instead of those of the backup.
  let hasForeignLog: Bool

  init(of path: String) {
    // The log is checked before and after reading the record: a server that is closing writes the record before it
    // deletes the log, and a server that starts creates its log before it writes the record.
    let lackedLog = !Self.hasLog(path)
    let record = UseRecord(of: path)
    let lacksLog = lackedLog && !Self.hasLog(path)
    let database = FileStatus(of: path)
    // Only a file that no connection of this process has open is read: closing it releases the locks of all of them.
    let isReplaced = database.map { record?.matches($0) != true } ?? false
    hasForeignLog = isReplaced && !lacksLog && Self.isWithoutLog(path)
    (finding, hasLostLog) = Self.findings(record, database: database, hasLog: !lacksLog, boot: UseRecord.currentBoot)
  }

  private static func findings(
    _ record: UseRecord?,
    database: FileStatus?,
    hasLog: Bool,
    boot: String
  ) -> (Finding, hasLostLog: Bool) {
    guard let database, database.size > 0 else { return (.new, false) }
    guard let record else { return (.doubtful(.unrecorded), false) }
    let isUnchanged = record.matches(database)
    let lacksLog = record.use == .open && !hasLog
    // If the file has changed too, another program can have merged the log into it.
    if !isUnchanged { return (.doubtful(.changed), false) }
    if lacksLog { return (.doubtful(.logMissing), true) }
    if record.use == .open, record.boot != boot || boot == "unknown" { return (.doubtful(.machineStopped), false) }
    return (.trusted, false)
  }

  /// Throws if the write-ahead log is of another file.
  func requireOwnLog(of path: String) throws(DatabaseError) {
    guard hasForeignLog else { return }
    throw DatabaseError(
      .foreignLog,
      message:
        "\(path)-wal is the write-ahead log of another file, which \(path) has replaced, such as a backup. If this is "
        + "the data that you want, move \(path)-wal and \(path)-shm away."
    )
  }

  /// Whether the file is in no mode in which a write-ahead log belongs to it: backups are not
  /// (https://sqlite.org/fileformat.html, section 1.3.3).
  private static func isWithoutLog(_ path: String) -> Bool {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    guard let header = FileCalls.read(file, atMost: 20), header.count == 20 else { return false }
    return header[18] == 1 && header[19] == 1
  }

  /// The log of a database in use contains a commit. An empty log was created by another program.
  private static func hasLog(_ path: String) -> Bool { (FileStatus(of: path + "-wal")?.size ?? 0) > logHeader }
  private static let logHeader: Int64 = 32
}
