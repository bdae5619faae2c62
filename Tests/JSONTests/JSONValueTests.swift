import Basics
import JSON
import Testing

@Suite("JSONValue")
struct JSONValueTests {
  private func value(_ text: String) throws -> JSONValue { try JSONDocument(Array(text.utf8)).root }

  @Test(
    arguments: [
      ("0", 0), ("-0", 0), ("42", 42), ("-42", -42), ("9223372036854775807", Int64.max),
      ("-9223372036854775808", Int64.min), ("9223372036854775808", nil), ("-9223372036854775809", nil),
      ("92233720368547758070", nil), ("18446744073709551616", nil), ("1.0", 1), ("1e3", 1000), ("-1.5e1", -15),
      ("1.5", nil), ("1e-1", nil), ("9007199254740991.0", 9_007_199_254_740_991), ("9007199254740993.0", nil),
      ("1e999", nil), ("\"1\"", nil), ("true", nil), ("null", nil),
    ] as [(String, Int64?)]
  )
  func `is a whole number exactly or not at all`(text: String, expected: Int64?) throws {
    #expect(try value(text).int64 == expected)
  }

  @Test(
    arguments: [
      ("0", 0), ("0.1", 0.1), ("-0.1", -0.1), ("1.5e10", 1.5e10), ("123456789.123456789", 123_456_789.123_456_789),
      ("1e22", 1e22), ("1e23", 1e23), ("1E+2", 100), ("1e-22", 1e-22), ("1e-23", 1e-23),
      ("5e-324", .leastNonzeroMagnitude),
      ("2e-324", 0), ("1.7976931348623157e308", .greatestFiniteMagnitude), ("1e309", nil), ("-1e309", nil),
      ("9007199254740993", 9_007_199_254_740_992), ("0.000000000000000000000000000001", 1e-30),
      ("1e99999999999999", nil),
      ("2.2250738585072011e-308", .leastNormalMagnitude.nextDown), ("true", nil), ("\"1\"", nil),
      ("1e-99999999999999", 0),
      ("9223372036854775807", 0x1p63), ("0e99", 0),
    ] as [(String, Double?)]
  )
  func `is the nearest Double to its number`(text: String, expected: Double?) throws {
    #expect(try value(text).double == expected)
  }

  @Test func `keeps the sign of zero in a Double`() throws {
    #expect(try value("-0.0").double?.sign == .minus)
    #expect(try value("-0").double?.sign == .minus)
  }

  @Test func `is the nearest Double to numbers of every length`() throws {
    var generator = SeededGenerator(seed: 53)
    for _ in 0..<20_000 {
      let mantissa = UInt64.random(
        in: 0...UInt64.max >> UInt64.random(in: 0..<64, using: &generator),
        using: &generator
      )
      let text = "\(mantissa)e\(Int.random(in: -40...40, using: &generator))"
      #expect(try value(text).double == Double(text))
      let bits = Double(bitPattern: UInt64.random(in: 0...UInt64.max, using: &generator))
      if bits.isFinite { #expect(try value("\(bits)").double == bits) }
    }
  }

  @Test(arguments: [
    ("\"\"", ""), ("\"a\"", "a"), ("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\u{8}\u{C}\n\r\t"), ("\"\\u0000\"", "\0"),
    ("\"\\u007f\\u0080\\u07FF\\u0800\\uffff\"", "\u{7F}\u{80}\u{7FF}\u{800}\u{FFFF}"),
    ("\"\\ud800\\udc00\\uDBFF\\uDFFF\"", "\u{10000}\u{10FFFF}"), ("\"żółw 🐢\"", "żółw 🐢"),
    ("\"12345678\\n12345678\\n1234567\\n\\n1\"", "12345678\n12345678\n1234567\n\n1"),
    ("\"\\n\\\\n1234567890123456\\\\\"", "\n\\n1234567890123456\\"),
  ])
  func `is its string, escapes decoded`(text: String, expected: String) throws {
    let value = try value(text)
    #expect(value.string == expected)
    #expect(value.stringBytes.map(Array.init) == Array(expected.utf8))
    #expect(String(decoding: value.rawBytes, as: UTF8.self) == text)
  }

  @Test func `has its members in order, with their offsets`() throws {
    let text = "{ \"a\" : [1, {\"x\": []}, \"s\"], \"b\": {}, \"\\u0063\": null, \"d\": true }"
    let root = try value(text)
    let members = try #require(root.members)
    let described = members.map { member in
      "\(member.key.string ?? "")=\(String(decoding: member.value.rawBytes, as: UTF8.self))@\(member.value.offset)"
    }
    #expect(described == ["a=[1, {\"x\": []}, \"s\"]@8", "b={}@34", "c=null@48", "d=true@59"])
    #expect(root["a"]?.elements?.map(\.kind) == [.number, .object, .string])
    #expect(root["c"]?.isNull == true)
    #expect(root["d"]?.bool == true)
    #expect(root["e"] == nil)
    #expect(root["a"]?["x"] == nil)
    #expect(root["b"]?.members?.map(\.value.kind) == [])
    #expect(root.elements == nil)
    #expect(root.string == nil)
  }

  @Test(
    arguments: [
      ("{}", nil), ("{\"a\":1,\"b\":2}", nil), ("{\"a\":1,\"b\":2,\"a\":3}", 13), ("{\"a\":1,\"\\u0061\":2}", 7),
      ("{\"a\":{\"a\":1}}", nil), ("[1,1]", nil),
      ("{\"0\":0,\"1\":0,\"2\":0,\"3\":0,\"4\":0,\"5\":0,\"6\":0,\"7\":0,\"8\":0,\"9\":0}", nil),
      ("{\"0\":0,\"1\":0,\"2\":0,\"3\":0,\"4\":0,\"5\":0,\"6\":0,\"7\":0,\"8\":0,\"9\":0,\"\\u0031\":0}", 61),
    ] as [(String, Int?)]
  )
  func `finds a repeated key, however it is written`(text: String, offset: Int?) throws {
    #expect(try value(text).repeatedKey?.offset == offset)
  }

  @Test func `returns the first of members with the same key`() throws {
    #expect(try value("{\"a\":1,\"a\":2}")["a"]?.int64 == 1)
  }

  @Test(
    arguments: [
      (#"{"a":"b"}"#, "b"), (#"{"c":1,"a":"\u0062","d":{"a":2}}"#, "b"), (#"{"\u0061":"b"}"#, "b"), (#"{"a":""}"#, ""),
      (#"{}"#, nil), (#"{"b":"a"}"#, nil), (#"{"a":1}"#, nil), (#"{"a":null}"#, nil), (#"{"a":["b"]}"#, nil),
      (#"{"a":"b","a":"b"}"#, nil), (#"{"a":"b","\u0061":1}"#, nil), (#"["a","b"]"#, nil), (#""a""#, nil),
    ] as [(String, String?)]
  )
  func `has the text of a member, if there is no other with its key`(text: String, expected: String?) throws {
    #expect(try value(text).text(ofOnly: "a") == expected)
  }
}
