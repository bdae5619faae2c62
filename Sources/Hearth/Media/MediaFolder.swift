import Glibc

/// The folder beside the database that holds the pictures' files, each under the hash of its bytes: `media/ab/cdef…`. A
/// file is there as a whole or not at all, stays there if the power fails, and never changes. Blocks: never on a loop.
struct MediaFolder: Sendable {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  let path: String
  /// Where files are before they have their names.
  private var incoming: String { path + "/incoming" }

  init(path: String) { self.path = path }

  /// Makes the folder, and empties it of what a crash has left half-written.
  func prepare() throws(Failure) {
    try makeFolder(path)
    try makeFolder(incoming)
    // One that was there before, as in a folder of backups. What is in it is closed to others by this.
    chmod(path, 0o700)
    for name in Self.names(in: incoming) { unlink("\(incoming)/\(name)") }
  }

  func path(of hash: PictureHash) -> String {
    let text = hash.hexadecimal
    return "\(path)/\(text.prefix(2))/\(text.dropFirst(2))"
  }

  func has(_ hash: PictureHash) -> Bool { access(path(of: hash), F_OK) == 0 }

  /// Returns when the bytes are on the disk under their name.
  func write(_ bytes: ArraySlice<UInt8>, as hash: PictureHash) throws(Failure) {
    guard !has(hash) else { return }
    let folder = "\(path)/\(hash.hexadecimal.prefix(2))"
    try makeFolder(folder)
    let temporary = "\(incoming)/\(Secrets.randomText())"
    let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw failure("make a file") }
    let isWritten = Self.write(bytes, to: file) && fsync(file) == 0
    close(file)
    guard isWritten, rename(temporary, path(of: hash)) == 0 else {
      let failure = failure("write a file")
      unlink(temporary)
      throw failure
    }
    try synchronize(folder)
  }

  /// All of a file; nil where there is none.
  func read(_ hash: PictureHash) throws(Failure) -> [UInt8]? {
    let file = open(path(of: hash), O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      if errno == ENOENT { return nil }
      throw failure("open a file")
    }
    defer { close(file) }
    // Not `fstat`: to whole-module builds its structure belongs to whichever module of C showed it first.
    let count = Int(lseek(file, 0, SEEK_END))
    guard count >= 0, lseek(file, 0, SEEK_SET) == 0 else { throw failure("look at a file") }
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count, let start = buffer.baseAddress {
        let some = Glibc.read(file, start + filled, count - filled)
        if some < 0, errno == EINTR { continue }
        guard some > 0 else { return }
        filled += some
      }
    }
    guard bytes.count == count else { throw failure("read a file") }
    return bytes
  }

  func remove(_ hash: PictureHash) { unlink(path(of: hash)) }

  /// Of all files that are there.
  func forEachFile(_ body: (PictureHash) throws -> Void) rethrows {
    for prefix in Self.names(in: path) where prefix.count == 2 {
      for name in Self.names(in: "\(path)/\(prefix)") {
        if let hash = PictureHash(hexadecimal: prefix + name) { try body(hash) }
      }
    }
  }

  static func hasFiles(_ path: String) -> Bool {
    var hasFiles = false
    MediaFolder(path: path).forEachFile { _ in hasFiles = true }
    return hasFiles
  }

  private func makeFolder(_ folder: String) throws(Failure) {
    if mkdir(folder, 0o700) == 0 {
      // Its own name is in the folder around it.
      try synchronize(folder.lastIndex(of: "/").map { String(folder[..<$0]) } ?? ".")
    } else if errno != EEXIST {
      throw failure("make a folder")
    }
  }

  private func synchronize(_ folder: String) throws(Failure) {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("open a folder") }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw failure("write a folder") }
  }

  private static func write(_ bytes: ArraySlice<UInt8>, to file: Int32) -> Bool {
    bytes.withUnsafeBytes { buffer in
      var written = 0
      while written < buffer.count, let start = buffer.baseAddress {
        let count = Glibc.write(file, start + written, buffer.count - written)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        written += count
      }
      return true
    }
  }

  private static func names(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }

  private func failure(_ action: String) -> Failure {
    Failure(description: "Could not \(action) in \(path): \(String(cString: strerror(errno)))")
  }
}
