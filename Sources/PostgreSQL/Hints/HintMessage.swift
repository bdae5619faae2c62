/// A message of a process: its hints, and the number of the message, by which receivers notice that one was lost.
struct HintMessage: Equatable {
  /// PostgreSQL's limit is 8,000 bytes.
  private static let limit = 7_800

  let process: UInt64
  let number: Int64
  private(set) var hints: [Hint: Int64] = [:]

  init(process: UInt64, number: Int64) {
    self.process = process
    self.number = number
  }

  init?(_ text: String) {
    // By bytes, since characters of Swift take several times as long to find.
    let parts = text.utf8.split(separator: UInt8(ascii: " "))
    guard parts.count >= 2, let process = UInt64(Substring(parts[0]), radix: 16),
      let number = Int64(Substring(parts[1]))
    else { return nil }
    self.init(process: process, number: number)
    for part in parts.dropFirst(2) {
      guard let kind = part.first, let equals = part.firstIndex(of: UInt8(ascii: "=")),
        let key = Int64(Substring(part[..<equals].dropFirst())),
        let number = Int64(Substring(part[equals...].dropFirst()))
      else { return nil }
      hints[Hint(kind, key: key)] = number
    }
  }

  /// Moves hints into the message, up to PostgreSQL's limit, and returns its text.
  mutating func fill(from pending: inout [Hint: Int64]) -> String {
    var text = String(process, radix: 16) + " \(number)"
    while text.utf8.count < Self.limit - 50, let (hint, value) = pending.first {
      pending[hint] = nil
      hints[hint] = value
      text += " \(Character(Unicode.Scalar(hint.kind)))\(hint.key)=\(value)"
    }
    return text
  }
}

/// The numbers of the messages that were received last, by process.
struct ReceivedMessages {
  /// With more processes, all are forgotten. The next message of each then counts as preceded by a gap.
  private static let limit = 1_000

  private var numbers: [UInt64: Int64] = [:]

  /// Records a message.
  ///
  /// Before the first message that is received from a process there is a gap, unless it is the first one that was sent.
  ///
  /// - Returns: whether messages of the same process are missing before it.
  mutating func receive(_ message: HintMessage) -> Bool {
    let last = numbers[message.process]
    if numbers.count >= Self.limit { numbers = [:] }
    numbers[message.process] = max(message.number, last ?? message.number)
    return last.map { message.number > $0 + 1 } ?? (message.number > 1)
  }
}
