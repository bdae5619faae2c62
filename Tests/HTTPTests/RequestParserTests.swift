import Basics
import HTTP
import Testing

@Suite("RequestParser")
struct RequestParserTests {
  @Test(arguments: RequestCase.all)
  func `makes of bytes what RFC 9112 says, however they are split`(example: RequestCase) {
    let whole = Outcome(of: example.sent)
    #expect(whole.events == example.expected)
    #expect(Outcome(of: example.sent, cutAt: Array(0..<example.sent.count)) == whole, "byte by byte")
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<50 {
      let cuts = generator.cuts(in: example.sent.count)
      #expect(Outcome(of: example.sent, cutAt: cuts) == whole, "cut at \(cuts)")
    }
  }

  @Test func `rejects a control character anywhere in a value of any length`() {
    let bytes: [(byte: UInt8, isValid: Bool)] = [
      (0x00, false), (0x0D, false), (0x1F, false), (0x7F, false), (0x09, true), (0x20, true), (0xC3, true),
    ]
    for length in 1...40 {
      for at in 0..<length {
        var value = [UInt8](repeating: 0x61, count: length)
        for (byte, isValid) in bytes {
          value[at] = byte
          let outcome = Outcome(of: Array("GET / HTTP/1.1\r\nHost: a\r\nA:".utf8) + value + Array("\r\n\r\n".utf8))
          #expect((outcome.failure == nil) == isValid, "\(byte) at \(at) of \(length)")
        }
      }
    }
  }

  @Test func `accepts the characters of a token in names of any length, and no others`() {
    let marks = Array("!#$%&'*+-.^_`|~".utf8)
    for length in 1...20 {
      for place in [0, length / 2, length - 1] {
        for byte in UInt8.min...UInt8.max where byte != UInt8(ascii: ":") && byte != UInt8(ascii: "\n") {
          var name = Array(repeating: UInt8(ascii: "x"), count: length)
          name[place] = byte
          var parser = RequestParser()
          let request = Array("GET / HTTP/1.1\r\nHost: a\r\n".utf8) + name + Array(": b\r\n\r\n".utf8)
          request.withUnsafeBytes { parser.receive($0) }
          let isToken =
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
              UInt8(ascii: "0")...UInt8(ascii: "9"):
              true
            default: marks.contains(byte)
            }
          let isAccepted = if case .request = parser.next(ParserMemory()) { true } else { false }
          #expect(isAccepted == isToken, "byte \(byte) at \(place) of \(length)")
        }
      }
    }
  }

  @Test func `rejects an invalid host after a valid one of the same connection`() {
    let valid = "GET / HTTP/1.1\r\nHost: a.example\r\n\r\n"
    for host in ["a exampl", "", "b/xample"] {
      let outcome = Outcome(of: valid + valid + "GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n")
      #expect(outcome.events == ["GET / ''", "GET / ''", "400 INVALID_HOST"], "\(host)")
    }
    // Not even the first one is valid if it is empty.
    #expect(Outcome(of: "GET / HTTP/1.1\r\nHost: \r\n\r\n").events == ["400 INVALID_HOST"])
  }

  @Test func `never crashes on mutated requests, and never minds how they are split`() {
    var generator = SeededGenerator(seed: 20_240_607)
    let limits = HTTPLimits {
      $0.requestLineBytes = 64
      $0.headerBytes = 256
      $0.headerCount = 6
      $0.bodyBytes = 32
      $0.chunkExtensionBytes = 12
    }
    let interesting = Array("\r\n :;,0159afAF+-\tGETHTTP/1\0\u{7F}é".utf8)
    let kept = RequestCase.all.map(\.sent).filter { !$0.isEmpty }
    for _ in 0..<20_000 {
      var bytes = kept[Int.random(in: 0..<kept.count, using: &generator)]
      if Bool.random(using: &generator) { bytes += kept[Int.random(in: 0..<kept.count, using: &generator)] }
      for _ in 0..<Int.random(in: 0...4, using: &generator) {
        let at = Int.random(in: 0..<bytes.count, using: &generator)
        let byte = interesting[Int.random(in: 0..<interesting.count, using: &generator)]
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes[at] = byte
        case 1: bytes.insert(byte, at: at)
        case 2 where bytes.count > 1: bytes.remove(at: at)
        default: bytes.insert(contentsOf: repeatElement(byte, count: 40), at: at)
        }
      }
      let whole = Outcome(of: bytes, limits: limits)
      let cuts = generator.cuts(in: bytes.count)
      let split = Outcome(of: bytes, cutAt: cuts, limits: limits)
      #expect(split == whole, "\(String(decoding: bytes, as: UTF8.self).debugDescription) cut at \(cuts)")
      let byByte = Outcome(of: bytes, cutAt: Array(1..<bytes.count), limits: limits)
      #expect(byByte == whole, "\(String(decoding: bytes, as: UTF8.self).debugDescription) byte by byte")
      #expect(whole.requests.allSatisfy { $0.body.count <= limits.bodyBytes && $0.headerCount <= limits.headerCount })
    }
  }
}
