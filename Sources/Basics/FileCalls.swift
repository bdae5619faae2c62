import Glibc

/// What all that use the C library's calls on files would otherwise repeat: calls that a signal interrupts or that
/// handle only a part of the bytes, names that must be durable, and the sentence of a failure. All of them block.
package enum FileCalls {
  /// Writes all bytes at the position of a descriptor. Returns false with the reason in `errno` if that fails, perhaps
  /// after a part of them.
  package static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Bool {
    bytes.withUnsafeBytes { buffer in
      var written = 0
      while written < buffer.count, let start = buffer.baseAddress {
        let count = Glibc.write(descriptor, start + written, buffer.count - written)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        written += count
      }
      return true
    }
  }

  /// Reads up to the end of a file, but at most `limit` bytes, for which memory is allocated at once. Returns nil with
  /// the reason in `errno` if that fails.
  package static func read(_ descriptor: Int32, atMost limit: Int) -> [UInt8]? {
    var hasFailed = false
    let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, filled in
      while filled < limit, let start = buffer.baseAddress {
        let count = Glibc.read(descriptor, start + filled, limit - filled)
        if count < 0, errno == EINTR { continue }
        hasFailed = count < 0
        guard count > 0 else { return }
        filled += count
      }
    }
    return hasFailed ? nil : bytes
  }

  /// Reads everything up to the end of a file. Returns nil with the reason in `errno` if that fails.
  package static func readAll(_ descriptor: Int32) -> [UInt8]? {
    var bytes: [UInt8] = []
    while let piece = read(descriptor, atMost: 65_536) {
      if piece.isEmpty { return bytes }
      bytes += piece
    }
    return nil
  }

  /// The folder that a path is in.
  package static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
  }

  /// A new name survives a power failure only once its folder is synchronized. Returns false with the reason in `errno`
  /// if that fails. Some file systems, such as shared folders of virtual machines, cannot synchronize folders (EINVAL):
  /// there is nothing more to do on them.
  package static func synchronizeFolder(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return fsync(descriptor) == 0 || errno == EINVAL
  }

  /// The names of the files and folders in a folder, but for hidden ones.
  package static func names(in folder: String) -> [String] {
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

  /// Why the last call has failed, by `errno`.
  package static var reason: String { String(cString: strerror(errno)) }

  /// The sentence for a call that has just failed, such as "Cannot write erasures: No space left on device."
  package static func failure(to action: String, _ path: String) -> String {
    let reason = reason
    return "Cannot \(action) \(path): \(reason)."
  }
}
