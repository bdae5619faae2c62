import Glibc

/// Values of clients are equal if their bytes are. Swift's `==` also equates texts that look the same, such as `é` as
/// one scalar and as two.
extension String {
  func hasSameBytes(as other: String) -> Bool {
    utf8.withContiguousStorageIfAvailable { one in
      other.utf8.withContiguousStorageIfAvailable { other in
        guard one.count == other.count else { return false }
        guard let first = one.baseAddress, let second = other.baseAddress else { return true }
        return memcmp(first, second, one.count) == 0
      }
    }.flatMap { $0 } ?? utf8.elementsEqual(other.utf8)
  }

  func hashBytes(into hasher: inout Hasher) {
    hasher.combine(utf8.count)
    var text = self
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
