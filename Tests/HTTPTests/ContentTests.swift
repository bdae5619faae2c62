import HTTP
import Testing

@Suite("Media types")
struct MediaTypeTests {
  @Test(arguments: [
    ("application/json", "application/json", []), ("Application/JSON ", "application/json", []),
    ("text/plain; charset=utf-8", "text/plain", ["charset=utf-8"]),
    ("text/plain ;CHARSET=\"UTF\\-8\" ; ;a=b;", "text/plain", ["charset=UTF-8", "a=b"]),
    ("multipart/form-data; boundary=\"a; b,c\"", "multipart/form-data", ["boundary=a; b,c"]),
  ])
  func `are read with their parameters`(text: String, essence: String, parameters: [String]) throws {
    let type = try #require(MediaType(text))
    #expect(type.essence == essence)
    #expect(type.parameters.map { "\($0.name)=\($0.value)" } == parameters)
  }

  @Test(arguments: [
    "", "text", "text/", "/plain", "text/plain/x", "text /plain", "text/plain; charset", "text/plain; charset=",
    "text/plain; charset =a", "text/plain; a=\"b", "text/plain; a=\"b\\", "text/plain; a=b; A=c", "text/plain, a/b",
    "text/plain; a=b c", "text/plain; " + (0..<17).map { "p\($0)=1" }.joined(separator: ";"),
  ])
  func `are rejected when malformed`(text: String) {
    #expect(MediaType(text) == nil)
  }
}

@Suite("Accept")
struct AcceptTests {
  private static let offers = ["application/graphql-response+json; charset=utf-8", "application/json; charset=utf-8"]

  private func preferred(_ headers: [String]) throws -> Int? {
    let accept = try #require(Accept(headers.map { ArraySlice($0.utf8) }))
    return accept.preferred(among: Self.offers.compactMap { MediaType($0) })
  }

  @Test(arguments: [
    ([], 0), ([""], 0), (["*/*"], 0), (["application/json"], 1), (["application/json, */*;q=0.1"], 1),
    (["application/graphql-response+json, application/json;q=0.9"], 0),
    (["application/json", "application/graphql-response+json;q=0.5"], 1),
    (["application/*;q=0.5, application/json;q=0.4"], 0), (["*/*, application/graphql-response+json;q=0"], 1),
    (["text/html, application/xhtml+xml, */*;q=0.8"], 0), (["application/json; charset=UTF-8;q=1;ext=a"], 1),
    (["application/json;charset=latin1"], nil), (["text/html"], nil), (["*/*;q=0"], nil), (["*/*;q=0.000"], nil),
    ([",, application/json ,"], 1),
  ])
  func `chooses what the client wants most`(headers: [String], expected: Int?) throws {
    #expect(try preferred(headers) == expected)
  }

  @Test(arguments: [
    "a", "a/", "*/json", "a/b;q=2", "a/b;q=1.001", "a/b;q=0.1234", "a/b;q=.5", "a/b;q=-1", "a/b;q=", "a/b c/d",
    String(repeating: "a/b,", count: 65),
  ])
  func `is rejected when malformed`(header: String) {
    #expect(Accept([ArraySlice(header.utf8)]) == nil)
  }
}

@Suite("Accept-Encoding")
struct AcceptEncodingTests {
  @Test(arguments: [
    ([], false), ([""], false), (["*"], true), (["gzip"], true), (["GZip, deflate, br"], true),
    (["gzip, deflate, br, zstd"], true), (["gzip, deflate, br"], true), (["gzip, deflate", "identity"], true),
    (["gzip, deflate, br", "gzip;q=0"], false), (["identity;q=0.5", "gzip, deflate, br;q=0.1"], true),
    (["br", "x-gzip"], true), (["identity"], false), (["identity;q=0, *"], true), (["gzip;q=0"], false),
    (["gzip ; q=0.5, identity"], false),
    ([", gzip,, identity;q=0.5 "], true), (["gzip;q=0.5, *;q=0"], true), (["gzip;q=2"], false), (["gzip br"], false),
    (["gzip;level=1"], false), (["gzip", "b=c"], false),
  ])
  func `prefers gzip where the client does`(headers: [String], expected: Bool) {
    var parser = RequestParser()
    let lines = headers.map { "Accept-Encoding: \($0)\r\n" }.joined()
    Array("GET / HTTP/1.1\r\nHost: a\r\n\(lines)\r\n".utf8).withUnsafeBytes { parser.receive($0) }
    guard case .request(let request) = parser.next(ParserMemory()) else {
      Issue.record("The request is not parsed.")
      return
    }
    #expect(AcceptEncoding.prefersGzip(request) == expected)
  }
}

@Suite("Entity tags")
struct EntityTagTests {
  @Test(arguments: [
    ([], false), ([""], false), (["*"], true), (["*, b"], false), (["\"a\""], true), (["W/\"a\""], true),
    (["w/\"a\""], false), (["W/ \"a\""], false), (["a"], false), (["\"b\", \t\"a\" "], true),
    (["\"b\",,W/\"a\""], true), (["\"b\"", "\"a\""], true), (["\"b\"", "\"c\""], false), (["\"a,a\""], false),
    (["\"a\"b"], false),
  ])
  func `are named by a list, weak ones too`(headers: [String], expected: Bool) {
    #expect(EntityTag.isNamed("\"a\"", by: headers.map { ArraySlice($0.utf8) }, comparison: .weak) == expected)
  }

  @Test(arguments: [
    ([], nil), (["If-Match: \"a\""], nil), (["If-Match: *"], nil), (["If-Match: \"b\"", "If-Match: \"c\",\"a\""], nil),
    (["If-Match: \"b\""], 412), (["If-Match: W/\"a\""], 412), (["If-Match: "], 412),
    (["If-None-Match: W/\"a\""], 304), (["If-None-Match: \"b\""], nil),
    // The order of the lines is not that of the evaluation.
    (["If-None-Match: \"a\"", "If-Match: \"b\""], 412), (["If-None-Match: \"a\"", "If-Match: \"a\""], 304),
    // Nothing has a date that it was modified at.
    (["If-Unmodified-Since: Mon, 01 Jan 2001 00:00:00 GMT"], nil),
    (["If-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT"], nil),
  ])
  func `decide whether a representation is sent`(headers: [String], status: Int?) throws {
    var parser = RequestParser()
    let text = (["GET / HTTP/1.1", "Host: a"] + headers).joined(separator: "\r\n") + "\r\n\r\n"
    Array(text.utf8).withUnsafeBytes { parser.receive($0) }
    guard case .request(let request) = parser.next(ParserMemory()) else {
      Issue.record("The request is not parsed.")
      return
    }
    var decided: Int?
    if let response = EntityTag.response(toPreconditionsOf: request, tag: "\"a\"", headers: HeaderBlock()) {
      decided = Int(response.status.code)
    }
    #expect(decided == status)
  }

  @Test func `are named by a list of 32 KB`() {
    let others = String(repeating: "\"b\", ", count: 6_000)
    for comparison in [EntityTag.Comparison.strong, .weak] {
      func isNamed(by header: String) -> Bool {
        EntityTag.isNamed("\"a\"", by: [ArraySlice(header.utf8)], comparison: comparison)
      }
      #expect(isNamed(by: "\(others)\"a\""))
      #expect(!isNamed(by: others))
      #expect(!isNamed(by: String(repeating: "é", count: 16_000)))
    }
  }

  @Test(arguments: [(nil, true), ("\"a\"", true), ("W/\"a\"", false), ("\"ab\"", false), ("", false)])
  func `allow a range only if they are the same and strong`(header: String?, expected: Bool) {
    #expect(EntityTag.allowsRange("\"a\"", ifRange: header.map { ArraySlice($0.utf8) }) == expected)
  }
}

@Suite("Texts in header values")
struct HeaderTextTests {
  @Test(arguments: [
    ("text/event-stream", true), ("a/b;q=0, Text/Event-STREAM ", true), ("", false), ("text/event-strea", false),
    ("text/event-text/event-", false), ("tttext/event-stream", true),
  ])
  func `are found in any case`(header: String, expected: Bool) {
    #expect(ArraySlice(header.utf8).containsIgnoringCase("text/event-stream") == expected)
  }
}

@Suite("Form fields")
struct FormFieldsTests {
  @Test(arguments: [
    ("", []), ("a=b", ["a=b"]), ("a=b&c=d", ["a=b", "c=d"]), ("a", ["a="]), ("=b", ["=b"]), ("&&a=b&", ["a=b"]),
    ("a=b=c", ["a=b=c"]), ("a+b=c%2Bd", ["a b=c+d"]), ("q=%7B%20a%20%7d", ["q={ a }"]), ("a=%C5%BC", ["a=ż"]),
    ("a=1&a=2", ["a=1", "a=2"]), ("%3D=%26", ["==&"]),
  ])
  func `are read in order`(text: String, expected: [String]) throws {
    #expect(try FormFields(ArraySlice(text.utf8)).fields.map { "\($0.name)=\($0.value)" } == expected)
  }

  @Test(arguments: ["a=%", "a=%4", "a=%4g", "%zz", "a=%%20"])
  func `with a malformed escape are rejected`(text: String) {
    #expect(throws: PercentEncodingError.malformedEscape) { try FormFields(ArraySlice(text.utf8)) }
  }

  @Test(arguments: ["a=%FF", "a=%C0%80", "a=%ED%A0%80"])
  func `that are not UTF-8 are rejected`(text: String) {
    #expect(throws: PercentEncodingError.invalidUTF8) { try FormFields(ArraySlice(text.utf8)) }
  }

  @Test func `are bounded in number`() throws {
    let text = ArraySlice(String(repeating: "a&", count: 5).utf8)
    #expect(try FormFields(text, limit: 5).fields.count == 5)
    #expect(throws: PercentEncodingError.tooManyFields(limit: 4)) { try FormFields(text, limit: 4) }
  }

  @Test func `have a plus for a space and paths do not`() throws {
    #expect(try PercentEncoding.decode(ArraySlice("a+b%20c".utf8), plusIsSpace: false) == "a+b c")
  }
}
