import Basics
import CPictureScaling
import Glibc

/// A file in memory, which a process can read like one on disk. It has no name, and ends with its descriptor.
struct MemoryFile: ~Copyable {
  let descriptor: Int32

  /// Throws `PictureScaling.Failure.system`.
  init(_ content: ArraySlice<UInt8>) throws {
    descriptor = picture_memory_file()
    guard descriptor >= 0, FileCalls.write(content, to: descriptor) else {
      throw PictureScaling.Failure.system(errno)
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}
