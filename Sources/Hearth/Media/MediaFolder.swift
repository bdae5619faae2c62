import Basics
import Bytes
import CFileStatus
import Glibc

/// A folder of picture files beside the database. The name of a file is the hash of its bytes: `media/ab/cdef…`. In
/// the folder of sizes, it is the hash of the picture and the size: `scaled/ab/cdef…-256`. Files are written
/// atomically and durably, and never change. All methods block, so they must not be called on an event loop.
struct MediaFolder: Sendable {
  struct Failure: FileFailure {
    let description: String
    var isOfWrite = false
  }

  let path: String
  /// The folder of files that are being written.
  private var incoming: String { path + "/incoming" }

  init(path: String) { self.path = path }

  /// Creates the folder, and deletes files that a crash has left incomplete. While a backup is being written into the
  /// folder, they can be files of the backup, and stay.
  func prepare() throws(Failure) {
    try makeFolder(path)
    try makeFolder(incoming)
    // The folder may have existed before, as in a folder of backups. The mode also protects its contents.
    chmod(path, 0o700)
    guard let lock = MediaFolderLock(self) else { return }
    defer { lock.release() }
    if lock.isEffective { for name in FileCalls.names(in: incoming) { unlink("\(incoming)/\(name)") } }
  }

  func path(of hash: PictureHash, _ size: PictureSize? = nil) -> String {
    let text = hash.hexadecimal
    return "\(path)/\(text.prefix(2))/\(text.dropFirst(2))" + (size.map { "-\($0.rawValue)" } ?? "")
  }

  func has(_ hash: PictureHash) -> Bool { access(path(of: hash), F_OK) == 0 }

  /// The size of a file; nil if it does not exist.
  func byteCount(of hash: PictureHash, size: PictureSize? = nil) -> Int64? {
    var status = file_status()
    return file_status_of(path(of: hash, size), &status) == 0 ? status.size : nil
  }

  /// Returns when the file and its directory entry are durable. A file with these bytes is kept; one that is damaged or
  /// cannot be read is replaced.
  func write(_ bytes: ArraySlice<UInt8>, as hash: PictureHash, _ size: PictureSize? = nil) throws(Failure) {
    if (try? read(hash, size: size))?[...] != bytes { try replace(bytes, as: hash, size) }
  }

  /// Writes a file as `write` does, without reading one that exists.
  func replace(_ bytes: ArraySlice<UInt8>, as hash: PictureHash, _ size: PictureSize? = nil) throws(Failure) {
    let path = path(of: hash, size)
    let folder = "\(self.path)/\(hash.hexadecimal.prefix(2))"
    try makeFolder(folder)
    let temporary = "\(incoming)/\(Secrets.randomText())"
    let file = Glibc.open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw Self.writeFailure(to: "create", temporary) }
    let isWritten = FileCalls.write(bytes, to: file) && fsync(file) == 0
    close(file)
    guard isWritten, rename(temporary, path) == 0 else {
      let failure = Self.writeFailure(to: "write", path)
      unlink(temporary)
      throw failure
    }
    try synchronize(folder)
  }

  /// Returns the content of a file, or nil if it does not exist.
  func read(_ hash: PictureHash, size: PictureSize? = nil) throws(Failure) -> [UInt8]? {
    guard let file = try open(hash, size: size) else { return nil }
    defer { close(file) }
    // `fstat` is not used: in whole-module builds its structure belongs to whichever C module imported it first.
    let count = Int(lseek(file, 0, SEEK_END))
    guard count >= 0, lseek(file, 0, SEEK_SET) == 0, let bytes = FileCalls.read(file, atMost: count),
      bytes.count == count
    else { throw Failure(description: FileCalls.failure(to: "read", path(of: hash, size))) }
    return bytes
  }

  /// Returns a part of the content of a file, or nil if the file does not exist.
  func read(_ part: Range<Int>, of hash: PictureHash, size: PictureSize? = nil) throws(Failure) -> ByteBuffer? {
    guard let file = try open(hash, size: size) else { return nil }
    defer { close(file) }
    var bytes = ByteBuffer(capacity: part.count)
    bytes.appendUnsafe(capacity: part.count) { start in
      var filled = 0
      while filled < part.count {
        let count = pread(file, start + filled, part.count - filled, off_t(part.lowerBound + filled))
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { break }
        filled += count
      }
      return filled
    }
    guard bytes.count == part.count else {
      throw Failure(description: FileCalls.failure(to: "read", path(of: hash, size)))
    }
    return bytes
  }

  /// Returns a descriptor of a file, which the caller closes, or nil if the file does not exist.
  func open(_ hash: PictureHash, size: PictureSize? = nil) throws(Failure) -> Int32? {
    let path = path(of: hash, size)
    let file = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    if file < 0, errno != ENOENT { throw Failure(description: FileCalls.failure(to: "open", path)) }
    return file < 0 ? nil : file
  }

  func remove(_ hash: PictureHash, size: PictureSize? = nil) { unlink(path(of: hash, size)) }

  /// Calls `body` for each file that is named by its hash alone.
  func forEachFile(_ body: (PictureHash) throws -> Void) rethrows {
    try forEachName { name in
      if let hash = PictureHash(hexadecimal: name) { try body(hash) }
    }
  }

  /// Calls `body` once for each picture of which there is a file, of the picture itself or of a size.
  func forEachPicture(_ body: (PictureHash) throws -> Void) rethrows {
    for prefix in FileCalls.names(in: path) where prefix.count == 2 {
      for hash in hashes(prefix: prefix) { try body(hash) }
    }
  }

  /// The pictures of which there is a file, as in `forEachPicture`, and whose hash has this `beginning`.
  func hashes(beginning: Int64) -> Set<PictureHash> {
    let prefix = String(UInt64(bitPattern: beginning) >> 56 | 0x100, radix: 16).dropFirst()
    return hashes(prefix: String(prefix)).filter { $0.beginning == beginning }
  }

  /// - Parameter prefix: the two first digits.
  private func hashes(prefix: String) -> Set<PictureHash> {
    let names = FileCalls.names(in: "\(path)/\(prefix)")
    return Set(names.compactMap { name in PictureHash(hexadecimal: prefix + name.prefix { $0 != "-" }) })
  }

  /// Calls `body` for each file of a size.
  func forEachSize(_ body: (PictureHash, PictureSize) -> Void) {
    forEachName { name in
      let parts = name.split(separator: "-")
      guard parts.count == 2, let hash = PictureHash(hexadecimal: String(parts[0])),
        let size = Int(parts[1]).flatMap(PictureSize.init)
      else { return }
      body(hash, size)
    }
  }

  private func forEachName(_ body: (String) throws -> Void) rethrows {
    for prefix in FileCalls.names(in: path) where prefix.count == 2 {
      for name in FileCalls.names(in: "\(path)/\(prefix)") { try body(prefix + name) }
    }
  }

  static func hasFiles(_ path: String) -> Bool {
    var hasFiles = false
    MediaFolder(path: path).forEachFile { _ in hasFiles = true }
    return hasFiles
  }

  private func makeFolder(_ folder: String) throws(Failure) {
    if mkdir(folder, 0o700) == 0 {
      // The entry of the new folder is in its parent.
      try synchronize(FileCalls.folder(of: folder))
    } else if errno != EEXIST {
      throw Self.writeFailure(to: "create", folder)
    }
  }

  private func synchronize(_ folder: String) throws(Failure) {
    guard FileCalls.synchronizeFolder(folder) else { throw Self.writeFailure(to: "write", folder) }
  }

  private static func writeFailure(to action: String, _ path: String) -> Failure {
    Failure(description: FileCalls.failure(to: action, path), isOfWrite: true)
  }
}
