import Basics
import CDeflate
import Glibc

/// Writes a ZIP archive (APPNOTE 6.3.10) of uncompressed files: pictures are compressed already. The content of a file
/// is written piece by piece. All methods block.
final class ZipArchive {
  struct Failure: FileFailure {
    let description: String
    var isOfWrite = false
  }

  private struct Entry {
    let name: [UInt8]
    let offset: UInt32
    var checksum: UInt32 = 0
    var size: UInt32 = 0
  }

  /// The format without its extension for larger archives has 32-bit offsets.
  static let maximumSize = 4_000_000_000
  static let maximumEntries = 65_000
  /// How much is written until the free space is checked again.
  private static let bytesBetweenChecks = 1_000_000

  private let file: Int32
  private let path: String
  private let minimumFreeBytes: Int
  /// The size from which on the free space must be checked again.
  private var checkedSize = 0
  private var entries: [Entry] = []
  private(set) var size = 0

  /// Creates the file, which only its owner can read.
  ///
  /// - Parameter minimumFreeBytes: what the archive leaves free on the disk.
  init(at path: String, keepingFree minimumFreeBytes: Int) throws(Failure) {
    self.path = path
    self.minimumFreeBytes = minimumFreeBytes
    file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw Self.writeFailure(to: "create", path) }
  }

  deinit { close(file) }

  /// Begins a file. What is written until the next one is its content.
  func begin(_ name: String) throws(Failure) {
    try endEntry()
    guard entries.count < Self.maximumEntries else { throw Failure(description: "\(path) has too many files.") }
    let entry = Entry(name: Array(name.utf8), offset: UInt32(size))
    entries.append(entry)
    try append(Self.localHeader(of: entry))
  }

  func write(_ bytes: some Sequence<UInt8>) throws(Failure) {
    let bytes = Array(bytes)
    guard !entries.isEmpty else { return }
    entries[entries.count - 1].checksum = libdeflate_crc32(entries[entries.count - 1].checksum, bytes, bytes.count)
    entries[entries.count - 1].size += UInt32(bytes.count)
    try append(bytes)
  }

  /// Writes the directory, and returns once the archive would survive a power failure. Nothing can be written
  /// afterwards.
  func finish() throws(Failure) {
    try endEntry()
    let start = size
    for entry in entries { try append(Self.directoryHeader(of: entry)) }
    var end: [UInt8] = []
    Self.add(0x0605_4b50, count: 4, to: &end)
    Self.add(0, count: 4, to: &end)
    for _ in 0..<2 { Self.add(UInt32(entries.count), count: 2, to: &end) }
    Self.add(UInt32(size - start), count: 4, to: &end)
    Self.add(UInt32(start), count: 4, to: &end)
    Self.add(0, count: 2, to: &end)
    try append(end)
    guard fsync(file) == 0 else { throw Self.writeFailure(to: "write", path) }
  }

  /// Throws if the disk has too little space for so many more bytes.
  func requireSpace(for bytes: Int) throws(Failure) {
    guard (FreeSpace.bytes(in: FileCalls.folder(of: path)) ?? 0) - bytes < minimumFreeBytes else { return }
    throw Failure(description: "The disk has too little space for \(path).", isOfWrite: true)
  }

  /// Completes the header of the last file, whose size was unknown when it was written.
  private func endEntry() throws(Failure) {
    guard let entry = entries.last else { return }
    let header = Self.localHeader(of: entry)
    guard pwrite(file, header, header.count, off_t(entry.offset)) == header.count else {
      throw Self.writeFailure(to: "write", path)
    }
  }

  private func append(_ bytes: [UInt8]) throws(Failure) {
    guard size + bytes.count <= Self.maximumSize else { throw Failure(description: "\(path) is too large.") }
    if size + bytes.count > checkedSize {
      try requireSpace(for: bytes.count)
      checkedSize = size + bytes.count + Self.bytesBetweenChecks
    }
    // The position is the end of the file: `pwrite` does not move it.
    guard FileCalls.write(bytes[...], to: file) else { throw Self.writeFailure(to: "write", path) }
    size += bytes.count
  }

  static func writeFailure(to action: String, _ path: String) -> Failure {
    Failure(description: FileCalls.failure(to: action, path), isOfWrite: true)
  }

  // MARK: Headers

  private static func localHeader(of entry: Entry) -> [UInt8] {
    var header: [UInt8] = []
    add(0x0403_4b50, count: 4, to: &header)
    add(20, count: 2, to: &header)
    addCommon(entry, to: &header)
    return header + entry.name
  }

  private static func directoryHeader(of entry: Entry) -> [UInt8] {
    var header: [UInt8] = []
    add(0x0201_4b50, count: 4, to: &header)
    // Made by Unix, so that the mode below applies.
    add(0x0314, count: 2, to: &header)
    add(20, count: 2, to: &header)
    addCommon(entry, to: &header)
    // The lengths of a comment, the disk, and internal attributes.
    for _ in 0..<3 { add(0, count: 2, to: &header) }
    add(0o100600 << 16, count: 4, to: &header)
    add(entry.offset, count: 4, to: &header)
    return header + entry.name
  }

  /// From the flags to the length of the extra field. Names are UTF-8, content is stored, and the time is that of 1980.
  private static func addCommon(_ entry: Entry, to header: inout [UInt8]) {
    add(0x0800, count: 2, to: &header)
    add(0, count: 2, to: &header)
    add(0, count: 2, to: &header)
    add(0x21, count: 2, to: &header)
    add(entry.checksum, count: 4, to: &header)
    for _ in 0..<2 { add(entry.size, count: 4, to: &header) }
    add(UInt32(entry.name.count), count: 2, to: &header)
    add(0, count: 2, to: &header)
  }

  private static func add(_ value: UInt32, count: Int, to bytes: inout [UInt8]) {
    for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * UInt32(index)))) }
  }
}
