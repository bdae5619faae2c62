/// The write-ahead log of a writer's file: when it is copied into the file and emptied, and what the record beside the
/// file states of it (`UseRecord`). Only the writer's thread uses it.
struct WriteAheadLog: ~Copyable {
  /// The time to wait for readers before emptying the log is given up until the next commit.
  private static let readerTimeout = Duration.milliseconds(20)

  private let connection: Connection
  /// The database file.
  private let path: String
  private let guardian: CommitGuard
  private let health: DatabaseHealth
  private var checkpointer: Checkpointer
  /// Whether the record states that the log can contain commits that the database file lacks.
  private var isInUse = false
  /// How far the log reached after the last commit. It is not read again later: another program can have begun the log
  /// again by then.
  private var extent: LogExtent?
  /// Nil unless the record states that the log is in use, and how far it reaches.
  private var note: LogNote?
  /// Whether a committed write has asked for an empty log: see `WriteTransaction.emptyLogAfterCommit`.
  var mustBeEmptied = false

  init(of connection: Connection, guardian: CommitGuard, in environment: Writer.Environment) {
    self.connection = connection
    path = environment.path
    self.guardian = guardian
    health = environment.health
    checkpointer = Checkpointer(of: connection, in: environment)
  }

  /// The number of commits that have written something.
  var commits: Int { checkpointer.commits }

  /// Must be called before each transaction. Before the first one it commits to the log, which is never empty from then
  /// on, and records that the log is needed. A loss of the log, and of the writes acknowledged afterwards, is then
  /// detected.
  mutating func beginUse() throws(DatabaseError) {
    guard !isInUse else { return }
    let connection = connection
    try guardian.commit(changing: .none, partitions: .some([])) { () throws(DatabaseError) in try connection.touch() }
    health.logIsOpen()
    extent = connection.logExtent
    try record(.open)
    isInUse = true
  }

  /// Must be called after each commit that has written something, before the commit is acknowledged. If the note cannot
  /// be written, the next transaction begins with a new record.
  mutating func noteCommit() {
    guard isInUse, let note else { return }
    guard let extent = connection.logExtent, note.write(extent) else {
      isInUse = false
      return
    }
    self.extent = extent
  }

  /// Copies a long log into the file, and empties one that must be empty.
  mutating func shrinkIfDue() {
    if checkpointer.isDue {
      recordCopying()
      checkpointer.checkpoint()
      recordAgain()
    }
    if mustBeEmptied { empty() }
  }

  /// Records that the log is about to be copied into the file. A process that is killed from now on leaves a file that
  /// differs from the recorded one, and a log with all commits. If this fails, the next start does not know why the
  /// file has changed.
  private mutating func recordCopying() {
    if LastUse.hasLog(path) { try? record(.copying) }
  }

  /// Records that a log in use is needed, because the file or the record has changed. If that fails, the next
  /// transaction begins with it: a loss of the log would not be detected.
  private mutating func recordAgain() {
    if isInUse { isInUse = (try? record(.open)) != nil }
  }

  /// A process that is killed between the steps leaves the record that the log is not needed while it is empty.
  private mutating func empty() {
    recordCopying()
    guard connection.waiting(atMost: Self.readerTimeout, { checkpointer.copyAll() }),
      (try? record(.closed)) != nil,
      connection.waiting(atMost: Self.readerTimeout, { checkpointer.truncate() })
    else {
      recordAgain()
      return
    }
    mustBeEmptied = false
    isInUse = false
    // If this fails, the next commit tries it again.
    try? beginUse()
  }

  /// Copies the log into the file and records that the database is closed. In this order, a process that is killed
  /// between the steps leaves either a log with all commits or the record that the log is not needed.
  mutating func finish() {
    recordCopying()
    guard checkpointer.copyAll(), (try? record(.closed)) != nil else {
      // The log remains for the next start, beside the file as it is now.
      if LastUse.hasLog(path) { try? record(.open) }
      return
    }
    health.logIsNotNeeded()
    checkpointer.truncate()
    connection.deletesLogWhenClosed()
  }

  private mutating func record(_ use: UseRecord.Use) throws(DatabaseError) {
    // Another file with the same name is not this database.
    try health.requireFilesInPlace()
    guard let status = FileStatus(of: path) else {
      throw DatabaseError(.moved, message: "\(path) was moved or deleted while it is open.")
    }
    try UseRecord(use, database: status, log: extent).write(beside: path)
    note = use == .open && extent != nil ? try LogNote(beside: path) : nil
  }
}
