import Basics
import Glibc

/// The file `hearth.db.state` next to the database, which records how the database was left: in use, in use while
/// the log is copied into it, or closed with a log that is not needed.
///
/// It is written before the first write of a process is acknowledged, before and after each checkpoint, and when the
/// database is closed. The next process thus knows whether a write-ahead log must exist, and whether another program
/// has changed the database file since. After each commit, `LogNote` overwrites one line of it. Its name does not begin
/// with `hearth.db-` as the names of SQLite's own files do, so that deleting those by pattern does not delete this
/// evidence.
struct UseRecord: Equatable {
  enum Use: String {
    case open
    /// In use, and the log is being copied into the file, which therefore differs from the recorded one. Earlier
    /// versions of the program read it as no record, after which they check all pages.
    case copying
    case closed
  }

  var use: Use
  /// The boot ID of Linux. Within one boot, the writes of a killed process are not lost.
  var boot: String
  /// The state of the database file when the record was written.
  var inode: UInt64
  var size: Int64
  var modified: Int64
  var changed: Int64
  /// How far the log reached after the last commit. Nil if it is not known, as in a record of version 0.1.
  var log: LogExtent?

  init(_ use: Use, database: FileStatus, log: LogExtent? = nil) {
    self.use = use
    boot = Self.currentBoot
    inode = database.identity.inode
    size = database.size
    modified = database.modified
    changed = database.changed
    self.log = log
  }

  /// Whether the database file is the recorded one, unchanged. The device is not compared, because its number can
  /// change when the machine restarts.
  func matches(_ database: FileStatus) -> Bool {
    inode == database.identity.inode && size == database.size && modified == database.modified
      && changed == database.changed
  }

  // MARK: The file

  static func path(of database: String) -> String { database + ".state" }

  /// One sector, overwritten in place. It is written as a whole or not at all, and needs no space on a full disk.
  private static let length = 512
  /// The position of the line `LogExtent.line`, in which version 0.1 has empty lines.
  static let logOffset = 448
  private static let head = "hearth-state 1"

  private var text: String {
    "\(Self.head)\nuse \(use.rawValue)\nboot \(boot)\ninode \(inode)\nsize \(size)\nmodified \(modified)\nchanged \(changed)\n"
  }

  /// Reads the record next to a database; nil if there is no readable record.
  init?(of database: String) {
    let file = open(Self.path(of: database), O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    guard let bytes = FileCalls.read(file, atMost: Self.length) else { return nil }
    var values: [Substring: Substring] = [:]
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    guard lines.first == Self.head[...] else { return nil }
    for line in lines.dropFirst() {
      let words = line.split(separator: " ", maxSplits: 1)
      if words.count == 2 { values[words[0]] = words[1] }
    }
    guard let use = values["use"].flatMap({ Use(rawValue: String($0)) }), let boot = values["boot"],
      let inode = values["inode"].flatMap({ UInt64($0) }), let size = values["size"].flatMap({ Int64($0) }),
      let modified = values["modified"].flatMap({ Int64($0) }), let changed = values["changed"].flatMap({ Int64($0) })
    else { return nil }
    self.use = use
    self.boot = String(boot)
    self.inode = inode
    self.size = size
    self.modified = modified
    self.changed = changed
    log = values[LogExtent.name].flatMap { LogExtent($0) }
  }

  /// Writes the record and returns once it is durable.
  func write(beside database: String) throws(DatabaseError) {
    let path = Self.path(of: database)
    var bytes = Array(text.utf8)
    bytes += repeatElement(0x0A, count: max(0, Self.logOffset - bytes.count))
    if let log { bytes += log.line }
    bytes += repeatElement(0x0A, count: max(0, Self.length - bytes.count))
    var file = open(path, O_WRONLY | O_CLOEXEC)
    let isNew = file < 0 && errno == ENOENT
    if isNew { file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600) }
    guard file >= 0 else { throw Self.failure(path) }
    defer { close(file) }
    guard pwrite(file, bytes, bytes.count, 0) == bytes.count, fsync(file) == 0,
      !isNew || FileCalls.synchronizeFolder(FileCalls.folder(of: path))
    else {
      let failure = Self.failure(path)
      // The next attempt creates the file again, and synchronizes the folder.
      if isNew { unlink(path) }
      throw failure
    }
  }

  static func remove(beside database: String) throws(DatabaseError) {
    let path = path(of: database)
    guard unlink(path) == 0 || errno == ENOENT else {
      throw DatabaseError(.inputOutput, message: FileCalls.failure(to: "delete", path))
    }
  }

  private static func failure(_ path: String) -> DatabaseError {
    let code: DatabaseError.Code = errno == ENOSPC || errno == EDQUOT ? .full : .inputOutput
    return DatabaseError(code, message: FileCalls.failure(to: "write", path))
  }

  /// "unknown" on a system without boot IDs.
  static let currentBoot: String = {
    let file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "unknown" }
    defer { close(file) }
    let bytes = FileCalls.read(file, atMost: 64) ?? []
    let text = String(decoding: bytes, as: UTF8.self).filter { $0.isHexDigit || $0 == "-" }
    return text.isEmpty ? "unknown" : text
  }()
}
