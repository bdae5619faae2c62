import Glibc

/// `field-line = field-name ":" OWS field-value OWS` (RFC 9112, section 5).
enum HeaderLine {
  /// Parses a line of a head or of trailers. `line` must be a non-empty range of `bytes`, without the line end.
  @inline(__always)
  static func read(
    _ line: Range<Int>,
    of bytes: UnsafeRawBufferPointer,
    number: Int?,
    isFirst: Bool
  ) throws(HTTPFailure) -> HeaderField {
    let text = UnsafeRawBufferPointer(rebasing: bytes[line])
    guard let base = text.baseAddress, !text[0].isSpaceOrTab else {
      throw HTTPFailure(isFirst ? .whitespaceBeforeHeaders : .foldedHeader, line: number)
    }
    guard let colon = memchr(base, 0x3A, text.count) else {
      throw HTTPFailure(text.contains(0x0D) ? .bareCarriageReturn : .missingColon, line: number)
    }
    let nameLength = UnsafeRawPointer(colon) - base
    let nameText = UnsafeRawBufferPointer(rebasing: text[..<nameLength])
    let name = HeaderName.recognize(nameText)
    if name == .other, let fault = fault(inName: nameText) { throw HTTPFailure(fault, line: number) }
    if let fault = fault(inValue: text, from: nameLength &+ 1) { throw HTTPFailure(fault, line: number) }

    var start = nameLength &+ 1
    var end = text.count
    while start < end, text[start].isSpaceOrTab { start &+= 1 }
    while end > start, text[end &- 1].isSpaceOrTab { end &-= 1 }
    let first = line.lowerBound
    return HeaderField(
      nameExtent: Extent(first..<first &+ nameLength),
      valueExtent: Extent(first &+ start..<first &+ end),
      name: name
    )
  }

  private static func fault(inName name: UnsafeRawBufferPointer) -> HTTPFailure.Reason? {
    guard let last = name.last else { return .invalidHeaderName }
    if isLettersAndHyphens(name) { return nil }
    let tokenCharacters = CharacterSet.token
    guard let invalid = name.first(where: { !tokenCharacters.contains($0) }) else { return nil }
    if invalid == 0x0D { return .bareCarriageReturn }
    return last.isSpaceOrTab ? .whitespaceBeforeColon : .invalidHeaderName
  }

  /// Whether a name of at least eight bytes has letters and hyphens only, as most have. Eight bytes are tested at a
  /// time; the last can overlap those before them.
  @inline(__always)
  private static func isLettersAndHyphens(_ name: UnsafeRawBufferPointer) -> Bool {
    guard name.count >= 8 else { return false }
    let ones: UInt64 = 0x0101_0101_0101_0101
    let tops: UInt64 = 0x8080_8080_8080_8080
    var at = 0
    while true {
      let word = name.loadUnaligned(fromByteOffset: at, as: UInt64.self)
      // The sums set the top bits of bytes that are at least `a`, and beyond `z`. They do not carry, because the bytes
      // are ASCII.
      let lower = word | ones &* 0x20
      let letters = (lower &+ ones &* (0x80 - 0x61)) & ~(lower &+ ones &* (0x80 - 0x7B))
      let hyphens = tops &- (word ^ ones &* 0x2D)
      guard word & tops == 0, (letters | hyphens) & tops == tops else { return false }
      if at == name.count &- 8 { return true }
      at = min(at &+ 8, name.count &- 8)
    }
  }

  /// Whether `text` is a whole, non-empty field value: it has no whitespace at its ends.
  @inline(__always)
  static func isValue(_ text: UnsafeRawBufferPointer) -> Bool {
    guard let first = text.first, let last = text.last, !first.isSpaceOrTab, !last.isSpaceOrTab else { return false }
    return fault(inValue: text, from: 0) == nil
  }

  /// Rejects control characters other than tab, including NUL, CR and DEL. Sixteen bytes are tested at a time; if they
  /// contain a tab, each is tested individually. The last can begin before the value, where the text is valid.
  @inline(__always)
  static func fault(inValue text: UnsafeRawBufferPointer, from start: Int) -> HTTPFailure.Reason? {
    guard text.count >= 16 else { return bytewiseFault(in: text, from: start, upTo: text.count) }
    var at = start
    while at < text.count {
      let first = min(at, text.count &- 16)
      let low = controls(in: text.loadUnaligned(fromByteOffset: first, as: UInt64.self))
      let high = controls(in: text.loadUnaligned(fromByteOffset: first &+ 8, as: UInt64.self))
      if (low | high) & 0x8080_8080_8080_8080 != 0,
        let fault = bytewiseFault(in: text, from: at, upTo: first &+ 16)
      {
        return fault
      }
      at = first &+ 16
    }
    return nil
  }

  /// Sets the top bit of each byte that is a control character, or follows one.
  @inline(__always)
  private static func controls(in word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let below32 = (word &- ones &* 0x20) & ~word
    let deletes = word ^ (ones &* 0x7F)
    return below32 | (deletes &- ones) & ~deletes
  }

  private static func bytewiseFault(
    in text: UnsafeRawBufferPointer,
    from start: Int,
    upTo end: Int
  ) -> HTTPFailure.Reason? {
    for at in start..<end {
      let byte = text[at]
      if byte >= 0x20 && byte != 0x7F || byte == 0x09 { continue }
      return byte == 0x0D ? .bareCarriageReturn : .invalidHeaderValue
    }
    return nil
  }
}
