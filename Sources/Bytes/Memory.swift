import Glibc

/// Memory of buffers, which is aligned for all types up to 16 bytes, as that of `malloc` is.
///
/// `UnsafeMutablePointer.allocate` states the alignment, and so calls `posix_memalign`, which takes 130 instructions
/// more than `malloc`.
@usableFromInline package enum Memory {
  @usableFromInline package static func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer {
    guard let memory = malloc(byteCount) else { preconditionFailure("There is no memory for \(byteCount) bytes.") }
    return memory
  }

  /// Releases what `allocate` returned.
  @usableFromInline package static func release(_ memory: UnsafeMutableRawPointer) { free(memory) }
}
