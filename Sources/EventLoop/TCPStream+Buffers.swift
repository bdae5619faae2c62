import Bytes
import CLibUV
import Glibc

extension uv_buf_t {
  /// A buffer for libuv to read from. The C type is not const, but libuv does not write to it.
  init(_ bytes: UnsafeRawBufferPointer) {
    self.init(
      base: UnsafeMutableRawPointer(mutating: bytes.baseAddress)?.assumingMemoryBound(to: CChar.self),
      len: bytes.count
    )
  }
}

extension ByteBuffer {
  /// Removes the bytes, and releases the memory if it is larger than `capacity`.
  mutating func empty(keeping capacity: Int) {
    if self.capacity > capacity {
      self = ByteBuffer()
    } else {
      removeAll()
    }
  }
}
