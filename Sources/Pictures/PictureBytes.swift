import Glibc

/// The bytes of a picture, indexed from 0. Reading out of bounds throws `damaged` instead of trapping, because offsets
/// and lengths in a picture are untrusted.
struct PictureBytes {
  enum Order { case big, little }

  private let bytes: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  var count: Int { bytes.count }
  var range: Range<Int> { 0..<count }

  func byte(at index: Int) throws(PictureFault) -> UInt8 {
    guard index >= 0, index < count else { throw .damaged }
    return bytes[bytes.startIndex + index]
  }

  /// An unsigned number of at most 7 bytes.
  func number(at index: Int, bytes size: Int, _ order: Order = .big) throws(PictureFault) -> Int {
    guard index >= 0, size <= 7, index <= count - size else { throw .damaged }
    var number = 0
    for offset in 0..<size {
      let byte = bytes[bytes.startIndex + index + (order == .big ? offset : size - 1 - offset)]
      number = number << 8 | Int(byte)
    }
    return number
  }

  func has(_ expected: [UInt8], at index: Int) -> Bool {
    guard index >= 0, index <= count - expected.count else { return false }
    return bytes[(bytes.startIndex + index)...].starts(with: expected)
  }

  /// Compares without allocating memory: a picture can consist of millions of tags or chunks.
  func has(_ text: StaticString, at index: Int) -> Bool {
    let length = text.utf8CodeUnitCount
    guard index >= 0, index <= count - length else { return false }
    return bytes.withUnsafeBytes { all in
      guard let start = all.baseAddress else { return false }
      return memcmp(start + index, text.utf8Start, length) == 0
    }
  }

  /// The range of `length` bytes from `index`, all of which must exist.
  func range(at index: Int, count length: Int) throws(PictureFault) -> Range<Int> {
    guard index >= 0, length >= 0, index <= count, length <= count - index else { throw .damaged }
    return index..<(index + length)
  }

  func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
    let range = range.clamped(to: self.range)
    return bytes.withUnsafeBytes { all in
      guard let start = all.baseAddress, let found = memchr(start + range.lowerBound, Int32(byte), range.count) else {
        return nil
      }
      return UnsafeRawPointer(found) - start
    }
  }
}
