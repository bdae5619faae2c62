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

  init(of path: String) {
    // The log is checked before and after reading the record: a server that is closing writes the record before it
    // deletes the log, and a server that starts creates its log before it writes the record.
    let lackedLog = !Self.hasLog(path)
    let record = UseRecord(of: path)
    let lacksLog = lackedLog && !Self.hasLog(path)
    self.init(record, database: FileStatus(of: path), hasLog: !lacksLog, boot: UseRecord.currentBoot)
  }

  init(_ record: UseRecord?, database: FileStatus?, hasLog: Bool, boot: String) {
    guard let database, database.size > 0 else {
      finding = .new
      hasLostLog = false
      return
    }
    guard let record else {
      finding = .doubtful(.unrecorded)
      hasLostLog = false
      return
    }
    let isUnchanged = record.matches(database)
    let lacksLog = record.use == .open && !hasLog
    // If the file has changed too, another program can have merged the log into it.
    hasLostLog = lacksLog && isUnchanged
    if !isUnchanged {
      finding = .doubtful(.changed)
    } else if lacksLog {
      finding = .doubtful(.logMissing)
    } else if record.use == .open, record.boot != boot || boot == "unknown" {
      finding = .doubtful(.machineStopped)
    } else {
      finding = .trusted
    }
  }

  /// The log of a database in use contains a commit. An empty log was created by another program.
  private static func hasLog(_ path: String) -> Bool { (FileStatus(of: path + "-wal")?.size ?? 0) > logHeader }
  private static let logHeader: Int64 = 32
}
