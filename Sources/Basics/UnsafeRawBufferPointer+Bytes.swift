import Glibc

extension UnsafeRawBufferPointer {
  /// Whether the bytes are equal. They are compared as a block: an array compares byte by byte.
  @inlinable package func hasSameBytes(as other: Self) -> Bool {
    guard count == other.count else { return false }
    guard let first = baseAddress, let second = other.baseAddress else { return true }
    return memcmp(first, second, count) == 0
  }
}
