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
  private static let digits = Array("0123456789abcdef".utf8)

  /// The line of the record (`UseRecord`): always of the same length, so that it can be overwritten.
  var line: [UInt8] {
    var line = Array(Self.name.utf8)
    for number in [generation, salt, frames] {
      line.append(0x20)
      for shift in stride(from: 28, through: 0, by: -4) { line.append(Self.digits[Int(number) >> shift & 15]) }
    }
    line.append(0x0A)
    return line
  }

  /// Reads what follows the name in the record's line.
  init?(_ text: Substring) {
    let numbers = text.split(separator: " ").compactMap { UInt32($0, radix: 16) }
    guard numbers.count == 3 else { return nil }
    self.init(generation: numbers[0], salt: numbers[1], frames: numbers[2])
  }
}
