/// How far a write-ahead log reached after a commit (https://sqlite.org/fileformat2.html, section 4).
struct LogExtent: Equatable {
  /// The log's first salt. It increases by one each time the log begins again, which is only after all of its frames
  /// were copied into the database file.
  let generation: UInt32
  /// The second salt: a random number of each beginning.
  let salt: UInt32
  /// The number of frames. Each is a page.
  let frames: UInt32
}

extension LogExtent {
  /// The name of the record's line.
  static let name: Substring = "log"
  /// The line of the record (`UseRecord`) without its digits: always of the same length, so that it can be overwritten.
  static let emptyLine = Array("\(name) 00000000 00000000 00000000\n".utf8)
  private static let digits = Array("0123456789abcdef".utf8)

  var line: [UInt8] {
    var line = Self.emptyLine
    write(into: &line)
    return line
  }

  /// Writes the digits into a line, which allocates nothing for a commit.
  func write(into line: inout [UInt8]) {
    Self.write(generation, at: 4, into: &line)
    Self.write(salt, at: 13, into: &line)
    Self.write(frames, at: 22, into: &line)
  }

  private static func write(_ number: UInt32, at start: Int, into line: inout [UInt8]) {
    for digit in 0..<8 { line[start + digit] = digits[Int(number >> UInt32(28 - 4 * digit)) & 15] }
  }

  /// Reads what follows the name in the record's line.
  init?(_ text: Substring) {
    let numbers = text.split(separator: " ").compactMap { UInt32($0, radix: 16) }
    guard numbers.count == 3 else { return nil }
    self.init(generation: numbers[0], salt: numbers[1], frames: numbers[2])
  }
}
