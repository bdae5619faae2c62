extension String {
  /// The longest beginning of whole Unicode scalars that has at most so many bytes in UTF-8.
  func prefix(bytes maximum: Int) -> String {
    guard utf8.count > maximum else { return self }
    var end = utf8.index(utf8.startIndex, offsetBy: maximum)
    // All bytes of a scalar but the first are 10xxxxxx.
    while utf8[end] & 0xC0 == 0x80 { end = utf8.index(before: end) }
    return String(self[..<end])
  }
}
