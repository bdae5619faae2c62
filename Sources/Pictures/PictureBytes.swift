import Glibc

/// A picture's bytes, counted from 0. Reading beyond their end throws `damaged` and never traps: offsets and lengths in
/// a picture are untrusted.
struct PictureBytes {
  enum Order { case big, little }

  private let bytes: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  var count: Int { bytes.count }
  var range: Range<Int> { 0..<count }

  func byte(at place: Int) throws(PictureFault) -> UInt8 {
    guard place >= 0, place < count else { throw .damaged }
    return bytes[bytes.startIndex + place]
  }

  /// An unsigned number of at most 7 bytes.
  func number(at place: Int, bytes size: Int, _ order: Order = .big) throws(PictureFault) -> Int {
    guard place >= 0, size <= 7, place <= count - size else { throw .damaged }
    var number = 0
    for offset in 0..<size {
      let byte = bytes[bytes.startIndex + place + (order == .big ? offset : size - 1 - offset)]
      number = number << 8 | Int(byte)
    }
    return number
  }

  func has(_ expected: [UInt8], at place: Int) -> Bool {
    guard place >= 0, place <= count - expected.count else { return false }
    return bytes[(bytes.startIndex + place)...].starts(with: expected)
  }

  func has(_ text: String, at place: Int) -> Bool { has(Array(text.utf8), at: place) }

  /// From `place`, `length` bytes, all of which must be there.
  func range(at place: Int, _ length: Int) throws(PictureFault) -> Range<Int> {
    guard place >= 0, length >= 0, place <= count, length <= count - place else { throw .damaged }
    return place..<(place + length)
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
