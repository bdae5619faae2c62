import Basics
import Glibc

/// The file of a write-ahead log (https://sqlite.org/fileformat2.html, section 4), read as SQLite reads it after a
/// crash. SQLite then ignores the first frame that is damaged and all after it, without an error.
///
/// SQLite has no locks on this file, so that closing it releases none of this process.
struct LogFile {
  private let path: String

  /// - Parameter database: the path of the database file.
  init(of database: String) { path = database + "-wal" }

  private struct Header: Equatable {
    let generation: UInt32
    let salt: UInt32
    let pageSize: Int
    let checksum: LogChecksum

    /// Nil if the bytes are not the header of a log. A log with such a header is empty to SQLite.
    init?(_ bytes: [UInt8]) {
      guard bytes.count == LogFile.headerLength else { return nil }
      let magic = bytes.bigEndian(at: 0)
      guard magic & ~1 == 0x377F_0682 else { return nil }
      var checksum = LogChecksum(isBigEndian: magic & 1 == 1)
      checksum.add(bytes[..<24])
      guard checksum.matches(bytes, at: 24) else { return nil }
      pageSize = Int(bytes.bigEndian(at: 8))
      guard (512...65_536).contains(pageSize) else { return nil }
      generation = bytes.bigEndian(at: 16)
      salt = bytes.bigEndian(at: 20)
      self.checksum = checksum
    }

    /// - Parameter file: the log, read from its start.
    init?(readFrom file: Int32) {
      guard lseek(file, 0, SEEK_SET) == 0, let bytes = FileCalls.read(file, atMost: LogFile.headerLength) else {
        return nil
      }
      self.init(bytes)
    }
  }

  static let headerLength = 32
  private static let frameHeaderLength = 24

  /// Whether the log lacks frames that it had.
  ///
  /// - Parameters:
  ///   - extent: how far it reached.
  ///   - isOfSameFile: whether no other program can have begun the log again since, or replaced it.
  func lacks(_ extent: LogExtent, isOfSameFile: Bool) -> Bool {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    // Why it cannot be opened is reported when SQLite opens it.
    guard file >= 0 else { return errno == ENOENT }
    defer { close(file) }
    while true {
      let header = Header(readFrom: file)
      if covers(extent, in: file, after: header, isOfSameFile: isOfSameFile) { return false }
      // A server that has begun the log again meanwhile wrote the header before the frames.
      if Header(readFrom: file) == header { return true }
    }
  }

  private func covers(_ extent: LogExtent, in file: Int32, after header: Header?, isOfSameFile: Bool) -> Bool {
    guard let header, header.generation == extent.generation, header.salt == extent.salt else {
      // A process that was killed just after the log began again leaves the previous extent.
      return !isOfSameFile || header?.generation == extent.generation &+ 1
    }
    var checksum = header.checksum
    for _ in 0..<extent.frames {
      guard let frame = FileCalls.read(file, atMost: Self.frameHeaderLength + header.pageSize),
        frame.count == Self.frameHeaderLength + header.pageSize,
        frame.bigEndian(at: 8) == header.generation, frame.bigEndian(at: 12) == header.salt
      else { return false }
      checksum.add(frame[..<8])
      checksum.add(frame[Self.frameHeaderLength...])
      guard checksum.matches(frame, at: 16) else { return false }
    }
    return true
  }
}
