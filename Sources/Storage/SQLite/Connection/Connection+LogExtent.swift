import CSQLite
import Glibc

extension Connection {
  /// How far the write-ahead log reaches, by its index (https://sqlite.org/walformat.html, section 2.1), which SQLite
  /// has mapped into memory. Nil if there is no index, or if another process is changing it.
  var logExtent: LogExtent? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    guard sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK, let file,
      let map = file.pointee.pMethods?.pointee.xShmMap
    else { return nil }
    var mapped: UnsafeMutableRawPointer?
    guard map(file, 0, Self.indexBlock, 0, &mapped) == SQLITE_OK, let mapped else { return nil }
    // The index begins with two copies of its header.
    guard memcmp(mapped, mapped + Self.indexHeader, Self.indexHeader) == 0 else { return nil }
    return LogExtent(
      generation: UInt32(bigEndian: mapped.load(fromByteOffset: 32, as: UInt32.self)),
      salt: UInt32(bigEndian: mapped.load(fromByteOffset: 36, as: UInt32.self)),
      frames: mapped.load(fromByteOffset: 16, as: UInt32.self)
    )
  }

  private static var indexBlock: Int32 { 32_768 }
  private static var indexHeader: Int { 48 }
}
