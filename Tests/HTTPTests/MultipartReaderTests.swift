import HTTP
import Testing

@Suite("MultipartReader")
struct MultipartReaderTests {
  private func parts(_ body: String, boundary: String = "b") throws(MultipartError) -> [String] {
    try parts(Array(body.utf8), boundary: boundary)
  }

  private func parts(_ body: [UInt8], boundary: String = "b") throws(MultipartError) -> [String] {
    guard let type = MediaType("multipart/form-data; boundary=\"\(boundary)\"") else { throw .noBoundary }
    var reader = try MultipartReader(body[...], contentType: type)
    var parts: [String] = []
    while let part = try reader.next() {
      parts.append("\(part.name)|\(part.fileName ?? "-")|\(String(decoding: part.content, as: UTF8.self))")
    }
    return parts
  }

  private func part(_ disposition: String, _ content: String = "x") -> String {
    "--b\r\nContent-Disposition: \(disposition)\r\n\r\n\(content)\r\n"
  }

  @Test(arguments: [
    ("form-data; name=\"a\"", "a|-"), ("form-data;name=a", "a|-"),
    ("FORM-DATA; NAME=\"a\"; FILENAME=\"b.jpg\"", "a|b.jpg"),
    ("form-data; name=\"\"", "|-"), ("form-data; name=\"a;b\" ; filename=\"C:\\d.jpg\"", "a;b|C:\\d.jpg"),
    ("form-data; name=\"ü\"; filename*=UTF-8''x", "ü|-"),
  ])
  func `names are read as browsers write them`(disposition: String, expected: String) throws {
    #expect(try parts(part(disposition) + "--b--\r\n") == [expected + "|x"])
  }

  @Test(arguments: [
    ("\r\nContent-Type: image/png", "image/png"),
    ("\r\ncontent-type:\t text/plain; charset=utf-8 ", "text/plain; charset=utf-8"), ("", nil),
  ])
  func `the content type is read without spaces around it`(line: String, expected: String?) throws {
    let body = "--b\r\nContent-Disposition: form-data; name=a\(line)\r\n\r\nx\r\n--b--\r\n"
    let type = try #require(MediaType("multipart/form-data; boundary=b"))
    var reader = try MultipartReader(Array(body.utf8)[...], contentType: type)
    #expect(try reader.next()?.contentType == expected)
  }

  /// Go and older versions of curl write a quotation mark as `\"`. A browser writes a backslash as it is.
  @Test(arguments: [
    (#"name="0"; filename="a\".png""#, #"0|a\".png"#), (#"name="0"; filename="\"a\" \"b\"""#, #"0|\"a\" \"b\""#),
    (#"name="0"; filename="a\\""#, #"0|a\\"#), (#"name="0"; filename="a\""#, #"0|a\"#),
    (#"filename="a\" ; name="0""#, #"0|a\"#),
  ])
  func `file names can have escaped quotation marks`(parameters: String, expected: String) throws {
    #expect(try parts(part("form-data; " + parameters) + "--b--\r\n") == [expected + "|x"])
  }

  @Test func `file names can have bytes that are not UTF-8, and names cannot`() throws {
    func body(_ parameters: String) -> [UInt8] {
      Array((part("form-data; " + parameters) + "--b--\r\n").utf8).map { $0 == UInt8(ascii: "?") ? 0xE9 : $0 }
    }
    #expect(try parts(body(#"name="0"; filename="a?.png""#)) == ["0|a\u{FFFD}.png|x"])
    #expect(try parts(body(#"name="0"; filename=a?.png"#)) == ["0|a\u{FFFD}.png|x"])
    #expect(throws: MultipartError.malformedHead) { try parts(body(#"name="a?"; filename="b.png""#)) }
  }

  @Test(arguments: [
    "", "\r\n", "--", "\r\n--", "\r\n--c", "a\r\nb\r\n", "--b--", "\n--b\r\n", "\r\n\r\n", "\r\r\n",
  ])
  func `everything in a part except the delimiter is its content`(content: String) throws {
    let one = part("form-data; name=\"a\"", content)
    #expect(try parts(one + part("form-data; name=\"c\"", "y") + "--b--") == ["a|-|" + content, "c|-|y"])
  }

  @Test(arguments: ["\r\n", "This is a message with parts.\r\n", "--c\r\n"])
  func `text before the first delimiter is ignored`(preamble: String) throws {
    #expect(try parts(preamble + part("form-data; name=a") + "--b--") == ["a|-|x"])
  }

  @Test func `text after the last delimiter, and white space after others, is ignored`() throws {
    #expect(
      try parts(part("form-data; name=a").replacing("--b\r\n", with: "--b \t\r\n") + "--b--\r\nepilogue") == ["a|-|x"]
    )
    #expect(try parts("--b--") == [])
  }

  @Test(arguments: [
    ("", MultipartError.wrongBoundary), ("--c\r\n", .wrongBoundary), ("--b", .unterminated),
    ("--bc\r\n", .wrongBoundary),
    ("--b\r\n", .unterminated), ("--b\r\n\r\nx\r\n--b--", .malformedHead),
    ("--b\r\nA\r\n\r\nx\r\n--b--", .malformedHead),
    ("--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--", .malformedHead),
    ("--b\r\nContent-Disposition: form-data; name=\"a\r\n\r\nx\r\n--b--", .malformedHead),
    ("--b\r\nContent-Disposition: form-data; name=\"a\\\"b\"\r\n\r\nx\r\n--b--", .malformedHead),
    ("--b\r\nContent-Disposition: form-data; name=a; filename=\"b\\\"c\r\n\r\nx\r\n--b--", .malformedHead),
    ("--b\r\nContent-Disposition: form-data; name=a; name=b\r\n\r\nx\r\n--b--", .malformedHead),
    ("--b\r\nContent-Disposition: form-data; name=a\r\n\r\nx\r\n--b", .unterminated),
    ("--b\r\nContent-Disposition: form-data; name=a\r\n\r\nx", .unterminated),
  ])
  func `malformed bodies are rejected`(body: String, expected: MultipartError) {
    #expect(throws: expected) { try parts(body) }
  }

  @Test func `truncated bodies are rejected, and mutated ones are parsed or rejected`() {
    let whole = part("form-data; name=\"a\"; filename=\"b\"", "content\r\n-") + part("form-data; name=c") + "--b--"
    for count in 0..<whole.utf8.count {
      #expect(throws: MultipartError.self) { try parts(String(decoding: whole.utf8.prefix(count), as: UTF8.self)) }
      for byte in [0, 0x0A, 0x0D, 0x22, 0x2D, 0x3B, 0x3D, 0x62] as [UInt8] {
        var bytes = Array(whole.utf8)
        bytes[count] = byte
        _ = try? parts(String(decoding: bytes, as: UTF8.self))
      }
    }
  }
}
