/// What is known of a database before it is opened, by its files and by what its last process recorded (`UseRecord`).
///
/// What this cannot see: a log that is lost together with the record; a log of the right size with other content; a
/// page that the disk has spoiled without a write.
///
/// Looked at before SQLite is, which makes an empty log where there is none.
struct LastUse: Equatable {
  enum Finding: Equatable {
    /// There is no database, or an empty file.
    case new
    /// Nothing but this program has changed the file, and no power failure can have.
    case trusted
    /// All pages are checked before the first write.
    case doubtful(String)
  }

  let finding: Finding
  /// Whether the write-ahead log is gone which the last process had not emptied: then commits are lost.
  let hasLostLog: Bool

  init(of path: String) {
    // The log is looked at on both sides of the record: a server that is just being closed records it before the log
    // goes, and one that starts has its log before it records that.
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
      finding = .doubtful("nothing is recorded of its last use, as of a restored backup")
      hasLostLog = false
      return
    }
    let isUnchanged = record.matches(database)
    let lacksLog = record.use == .open && !hasLog
    // Where the file has changed too, another program can have merged the log into it.
    hasLostLog = lacksLog && isUnchanged
    if !isUnchanged {
      finding = .doubtful("the file is not as the last server left it")
    } else if lacksLog {
      finding = .doubtful("its write-ahead log is missing")
    } else if record.use == .open, record.boot != boot || boot == "unknown" {
      finding = .doubtful("the machine has stopped while it was in use")
    } else {
      finding = .trusted
    }
  }

  /// A log of a database in use has a commit: an empty one was made by somebody else.
  private static func hasLog(_ path: String) -> Bool { (FileStatus(of: path + "-wal")?.size ?? 0) > logHeader }
  private static let logHeader: Int64 = 32
}
