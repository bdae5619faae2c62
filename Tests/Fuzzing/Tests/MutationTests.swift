import Foundation
import Testing

/// Mutates the corpora for a few seconds, without coverage and sanitizers. `Scripts/fuzz` does so for longer, with
/// both. The mutations follow from the corpus and their number, so that a failure can be repeated.
@Suite("Mutated inputs of the fuzz targets", .timeLimit(.minutes(5)))
struct MutationTests {
  private static let inputsPerTarget = 300
  /// Longer inputs take longer and find no more.
  private static let longestInput = 16_384

  @Test(arguments: FuzzTarget.allCases)
  func `the properties hold for mutations of the corpus`(target: FuzzTarget) async throws {
    let corpus = try CorpusTests.inputs(of: target).filter { $0.bytes.count <= Self.longestInput }
    let words = try Self.dictionary(of: target)
    try #require(corpus.count >= 10 && words.count >= 5)
    var changed = 0
    for number in 0..<Self.inputsPerTarget {
      let (name, bytes) = corpus[number % corpus.count]
      let other = corpus[(number * 7 + 3) % corpus.count].bytes
      let input = Self.mutation(of: bytes, number, other: other, words)
      if input != bytes { changed += 1 }
      do {
        try target.check(input)
        try await target.checkAsynchronously(input)
      } catch {
        Issue.record("\(target.rawValue)/\(name), mutation \(number): \(error)\n\(Data(input).base64EncodedString())")
      }
    }
    #expect(changed > Self.inputsPerTarget * 9 / 10)
  }

  /// One to four changes: bits, bytes, words of the dictionary, removed and repeated parts, and parts of another input.
  private static func mutation(of bytes: [UInt8], _ number: Int, other: [UInt8], _ words: [[UInt8]]) -> [UInt8] {
    var choice = PieceSizes(of: bytes + withUnsafeBytes(of: number.littleEndian, Array.init))
    /// At least 0 and less than `count`, or 0.
    func any(_ count: Int) -> Int { count > 0 ? choice.next(atMost: count) - 1 : 0 }
    /// A part of at most 64 bytes.
    func part(of bytes: [UInt8]) -> Range<Int> {
      let start = any(bytes.count + 1)
      return start..<(start + any(min(bytes.count - start, 64) + 1))
    }
    var input = bytes
    for _ in 0...any(4) {
      let position = any(input.count + 1)
      switch any(6) {
      case 0 where position < input.count: input[position] ^= 1 << UInt8(any(8))
      case 1 where position < input.count: input[position] = UInt8(any(256))
      case 2: input.insert(contentsOf: words[any(words.count)], at: position)
      case 3: input.removeSubrange(part(of: input))
      case 4: input.insert(contentsOf: input[part(of: input)], at: position)
      default: input.insert(contentsOf: other[part(of: other)], at: position)
      }
    }
    return input
  }

  /// The words of libFuzzer's dictionary: one in quotation marks per line, with `\xNN` for other bytes.
  private static func dictionary(of target: FuzzTarget) throws -> [[UInt8]] {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Dictionaries/\(target.rawValue).dict")
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { line in
      guard let start = line.firstIndex(of: "\""), line.last == "\"", !line.hasPrefix("#") else { return nil }
      var rest = Array(line[line.index(after: start)...].utf8.dropLast())[...]
      var word: [UInt8] = []
      while let byte = rest.popFirst() {
        if byte == UInt8(ascii: "\\"), rest.first == UInt8(ascii: "x"), rest.count >= 3,
          let value = UInt8(String(decoding: rest.dropFirst().prefix(2), as: UTF8.self), radix: 16)
        {
          word.append(value)
          rest = rest.dropFirst(3)
        } else {
          word.append(byte)
        }
      }
      return word.isEmpty ? nil : word
    }
  }
}
