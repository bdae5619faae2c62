import Basics
import Glibc

/// The state of a database before it is opened, determined from its files and from the record of the last process
/// (`UseRecord`).
///
/// It does not detect a log that is lost together with the record, or a page that the disk has corrupted without a
/// write.
///
/// It is determined before SQLite opens the file, because SQLite creates an empty log if there is none.
struct LastUse {
  /// Why all pages are checked before the first write.
  enum Doubt: String {
    case unrecorded = "its last use is not recorded, as after restoring a backup"
    case changed = "the file has changed since the last server closed it"
    case copyInterrupted = "the last server stopped while it copied the write-ahead log into the file"
    case logMissing = "its write-ahead log is missing"
    case logDamaged = "its write-ahead log is damaged"
    case machineStopped = "the machine stopped while it was in use"

    /// Whether commits that were acknowledged can be missing from the file. A stopped machine loses none: each commit
    /// is flushed before it is acknowledged. Nor does a copy that was interrupted, which the log outlives.
    var canLackCommits: Bool {
      switch self {
      case .unrecorded, .changed, .logMissing, .logDamaged: true
      case .copyInterrupted, .machineStopped: false
      }
    }
  }

  /// The database file.
  private let path: String
  /// Nil if neither another program nor a power failure can have changed the file, and if it is new or empty.
  let doubt: Doubt?
  /// Whether the file is missing or empty, although it was in use.
  private let hasLostFile: Bool
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
    // A start that failed on a full disk leaves an empty file without a log and a record.
    hasLostFile = (database?.size ?? 0) == 0 && (!lacksLog || (record?.size ?? 0) > 0)
    doubt = Self.doubt(
      record,
      isRecordOlder: isRecordOlder,
      database: database,
      hasLog: !lacksLog,
      lacksMigrations: lacksLog && Self.lacksMigrations(path),
      isLogDamaged: !lacksLog && Self.isLogDamaged(of: path, record),
      boot: UseRecord.currentBoot
    )
  }

  private static func doubt(
    _ record: UseRecord?,
    isRecordOlder: Bool,
    database: FileStatus?,
    hasLog: Bool,
    lacksMigrations: Bool,
    isLogDamaged: Bool,
    boot: String
  ) -> Doubt? {
    guard let database, database.size > 0 else { return nil }
    guard let record else { return .unrecorded }
    if isLogDamaged { return .logDamaged }
    // A copy of the file to another file system has another inode. `cp` without `-a` also changes the time of the last
    // change, as does another program that merges the log into the file. That program writes the migrations, too.
    let isSameContent = record.size == database.size && record.modified == database.modified
    if record.use != .closed, !hasLog, isSameContent || lacksMigrations { return .logMissing }
    guard record.matches(database) else {
      // A copy leaves the log. If that is missing too, another program can have merged it into the file.
      let isCopyInterrupted =
        record.use == .copying && record.inode == database.identity.inode && hasLog && isRecordOlder
      return isCopyInterrupted ? .copyInterrupted : .changed
    }
    if record.use == .closed { return nil }
    return record.boot != boot || boot == "unknown" ? .machineStopped : nil
  }

  /// Whether the log lacks commits that it had when the record was written. SQLite would continue without them, and
  /// without an error.
  private static func isLogDamaged(of path: String, _ record: UseRecord?) -> Bool {
    var last = record
    while let record = last, record.use != .closed, let extent = record.log {
      let isSameFile = FileStatus(of: path).map { database in
        // A process that copies the log changes the file, but does not begin the log again before the next record.
        record.matches(database) || record.use == .copying && record.inode == database.identity.inode
      }
      guard LogFile(of: path).lacks(extent, isOfSameFile: isSameFile ?? false) else { return false }
      // A server that begins the log again or empties it meanwhile changes the record.
      last = UseRecord(of: path)
      if last == record { return true }
    }
    return false
  }

  /// The sentence about the commits that are lost because the write-ahead log, which the last process had not emptied,
  /// is missing or damaged. Nil if none are.
  var loss: String? {
    switch doubt {
    case .logMissing:
      "The write-ahead log \(path)-wal is missing, although the last server had not emptied it into the database: "
        + "the last commits are lost."
    case .logDamaged:
      "The write-ahead log \(path)-wal is damaged or was shortened: the commits after the damage are lost."
    default: nil
    }
  }

  /// Throws if the file is missing or empty although its write-ahead log or its record is there, or if the log is of
  /// another file.
  func requireOwnFiles() throws(DatabaseError) {
    if hasLostFile {
      let state = FileStatus(of: path) == nil ? "missing" : "empty"
      let evidence =
        Self.hasLog(path)
        ? "its write-ahead log \(path)-wal is there" : "\(UseRecord.path(of: path)) states that it was in use"
      throw DatabaseError(
        .databaseMissing,
        message:
          "\(path) is \(state), although \(evidence). Put it back, restore a backup, or choose another folder."
      )
    }
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
    guard let header = header(of: path) else { return false }
    return header[18] == 1 && header[19] == 1
  }

  /// Whether the `user_version` of the file is 0: its migrations are in the log until that is first copied into it.
  private static func lacksMigrations(_ path: String) -> Bool {
    guard let header = header(of: path) else { return false }
    return header[60..<64].allSatisfy { $0 == 0 }
  }

  private static func header(of path: String) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    guard let header = FileCalls.read(file, atMost: 100), header.count == 100 else { return nil }
    return header
  }

  /// The log of a database in use contains a commit. An empty log was created by another program.
  static func hasLog(_ path: String) -> Bool {
    (FileStatus(of: path + "-wal")?.size ?? 0) > Int64(LogFile.headerLength)
  }
}
