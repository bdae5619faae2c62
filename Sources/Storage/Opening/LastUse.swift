import Basics
import Glibc

/// The state of a database before it is opened, determined from its files and from the record of the last process
/// (`UseRecord`).
///
/// It does not detect a log that is lost together with the record, a log of the right size with other content, or a
/// page that the disk has corrupted without a write.
///
/// It is determined before SQLite opens the file, because SQLite creates an empty log if there is none.
struct LastUse {
  /// Why all pages are checked before the first write.
  enum Doubt: String {
    case unrecorded = "its last use is not recorded, as after restoring a backup"
    case changed = "the file has changed since the last server closed it"
    case copyInterrupted = "the last server stopped while it copied the write-ahead log into the file"
    case logMissing = "its write-ahead log is missing"
    case machineStopped = "the machine stopped while it was in use"

    /// Whether commits that were acknowledged can be missing from the file. A stopped machine loses none: each commit
    /// is flushed before it is acknowledged. Nor does a copy that was interrupted, which the log outlives.
    var canLackCommits: Bool {
      switch self {
      case .unrecorded, .changed, .logMissing: true
      case .copyInterrupted, .machineStopped: false
      }
    }
  }

  /// The database file.
  private let path: String
  /// Nil if neither another program nor a power failure can have changed the file, and if it is new or empty.
  let doubt: Doubt?
  private let hasLostLog: Bool
  /// Whether the write-ahead log is of another file: a backup has replaced the database, but not its log. SQLite would
  /// read the pages of the log instead of those of the backup.
  private let hasForeignLog: Bool

  init(of path: String) {
    self.path = path
    // The log is checked before and after reading the record: a server that is closing writes the record before it
    // deletes the log, and a server that starts creates its log before it writes the record.
    let lackedLog = !Self.hasLog(path)
    let record = UseRecord(of: path)
    let lacksLog = lackedLog && !Self.hasLog(path)
    let database = FileStatus(of: path)
    // A copy of the log writes the record before the pages. Where a copy of the files is put in place, the record
    // usually follows the database file.
    let recorded = FileStatus(of: UseRecord.path(of: path))?.changed ?? .max
    let isRecordOlder = database.map { recorded <= $0.changed } ?? false
    // Only a file that no connection of this process has open is read: closing it releases the locks of all of them.
    let isReplaced = database.map { record?.matches($0) != true } ?? false
    hasForeignLog = isReplaced && !lacksLog && Self.isWithoutLog(path)
    (doubt, hasLostLog) = Self.findings(
      record,
      isRecordOlder: isRecordOlder,
      database: database,
      hasLog: !lacksLog,
      boot: UseRecord.currentBoot
    )
  }

  private static func findings(
    _ record: UseRecord?,
    isRecordOlder: Bool,
    database: FileStatus?,
    hasLog: Bool,
    boot: String
  ) -> (Doubt?, hasLostLog: Bool) {
    guard let database, database.size > 0 else { return (nil, false) }
    guard let record else { return (.unrecorded, false) }
    guard record.matches(database) else {
      // A copy leaves the log. If that is missing too, another program can have merged it into the file.
      let isCopyInterrupted =
        record.use == .copying && record.inode == database.identity.inode && hasLog && isRecordOlder
      return (isCopyInterrupted ? .copyInterrupted : .changed, false)
    }
    if record.use == .closed { return (nil, false) }
    if !hasLog { return (.logMissing, true) }
    return (record.boot != boot || boot == "unknown" ? .machineStopped : nil, false)
  }

  /// The sentence about the commits that are lost because the write-ahead log is missing, although the last process had
  /// not emptied it. Nil if none are.
  var loss: String? {
    guard hasLostLog else { return nil }
    return "The write-ahead log \(path)-wal is missing, although the last server had not emptied it into the database: "
      + "the last commits are lost."
  }

  /// Throws if the write-ahead log is of another file.
  func requireOwnLog() throws(DatabaseError) {
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
  static func hasLog(_ path: String) -> Bool { (FileStatus(of: path + "-wal")?.size ?? 0) > logHeader }
  private static let logHeader: Int64 = 32
}
