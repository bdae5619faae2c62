import TestSupport
import Testing

@testable import Hearth

/// An invalid request and its complete response: status, content type, body.
@Suite("Malformed and hostile requests")
struct HostileRequestTests {
  struct Row: Sendable, CustomStringConvertible {
    let request: Request
    let answer: Answer
    var description: String { String(decoding: request.bytes.prefix(160), as: UTF8.self) }

    init(_ request: Request, _ answer: Answer) { (self.request, self.answer) = (request, answer) }
  }

  struct Request: Sendable {
    let bytes: [UInt8]

    /// Characters up to U+00FF represent bytes, because not every request is text.
    static func raw(_ text: String) -> Request { Request(bytes: text.unicodeScalars.map { UInt8($0.value) }) }

    static func get(_ target: String) -> Request { raw("GET \(target) HTTP/1.1\r\nHost: h\r\n\r\n") }

    static func body(_ body: String) -> Request { post(body, contentType: "application/json") }

    /// With the header that another site's form cannot send.
    static func form(_ body: String, contentType: String = "multipart/form-data; boundary=x") -> Request {
      raw(
        "POST /graphql HTTP/1.1\r\nHost: h\r\nGraphQL-Require-Preflight: 1\r\nContent-Type: \(contentType)\r\n"
          + "Content-Length: \(body.unicodeScalars.count)\r\n\r\n\(body)"
      )
    }

    /// Each part by its name, all of them ended by the boundary.
    static func parts(_ parts: KeyValuePairs<String, String>) -> Request {
      let parts = parts.map { "--x\r\nContent-Disposition: form-data; name=\"\($0.key)\"\r\n\r\n\($0.value)\r\n" }
      return form(parts.joined() + "--x--\r\n")
    }

    static func contentType(_ type: String?) -> Request { post(#"{"query":"{__typename}"}"#, contentType: type) }

    private static func post(_ body: String, contentType: String?) -> Request {
      let type = contentType.map { "Content-Type: \($0)\r\n" } ?? ""
      return raw(
        "POST /graphql HTTP/1.1\r\nHost: h\r\n\(type)Content-Length: \(body.unicodeScalars.count)\r\n\r\n\(body)"
      )
    }
  }

  struct Answer: Sendable {
    let status: Int
    let contentType: String
    let body: String

    static func rejected(
      _ status: Int,
      _ code: String,
      _ message: String,
      at location: (line: Int, column: Int)? = nil,
      as type: String = "application/graphql-response+json"
    ) -> Answer {
      let message = message.replacing("\"", with: "\\\"")
      let locations = location.map { #""locations":[{"line":\#($0.line),"column":\#($0.column)}],"# } ?? ""
      let error = #"{"message":"\#(message)",\#(locations)"extensions":{"code":"\#(code)"}}"#
      return Answer(status: status, contentType: type + "; charset=utf-8", body: #"{"errors":[\#(error)]}"#)
    }

    static let unsupported = rejected(
      415,
      "UNSUPPORTED_MEDIA_TYPE",
      "The body of a request must be uncompressed application/json in UTF-8, or multipart/form-data if it has files."
    )

    static let noPreflight = rejected(
      400,
      "PREFLIGHT_REQUIRED",
      "A multipart request requires a header that a form of another origin cannot send: GraphQL-Require-Preflight, with any value."
    )

    /// Rejected before it is known to be GraphQL.
    static func text(_ status: Int, _ body: String) -> Answer {
      Answer(status: status, contentType: "text/plain; charset=utf-8", body: body)
    }

    static func empty(_ status: Int, _ type: String) -> Answer {
      Answer(status: status, contentType: type + "; charset=utf-8", body: "")
    }
  }

  /// Bodies that are not said to be JSON in UTF-8.
  static let contentTypes: [Row] = [
    Row(.contentType(nil), .unsupported),
    Row(.contentType("text/plain"), .unsupported),
    Row(.contentType("application/graphql"), .unsupported),
    Row(.contentType("application/x-www-form-urlencoded"), .unsupported),
    Row(.contentType("multipart/form-data; boundary=x"), .noPreflight),
    Row(.contentType("multipart/form-data"), .noPreflight),
    Row(.contentType("application/jsonp"), .unsupported),
    Row(.contentType("json"), .unsupported),
    Row(.contentType("application/json; charset=utf-16"), .unsupported),
    Row(.contentType("application/json; charset=iso-8859-1"), .unsupported),
    Row(.contentType("application/json;charset"), .unsupported),
    Row(.contentType("application/json, text/plain"), .unsupported),
    Row(.contentType(""), .unsupported),
  ]

  /// Bodies of POST.
  static let bodies: [Row] = [
    Row(.body(""), .rejected(400, "BAD_REQUEST", "The body is not JSON: The JSON text ends too early. (Byte 0.)")),
    Row(.body("  "), .rejected(400, "BAD_REQUEST", "The body is not JSON: The JSON text ends too early. (Byte 2.)")),
    Row(
      .body("{\"query\":\"{__typename}\""),
      .rejected(400, "BAD_REQUEST", "The body is not JSON: The JSON text ends too early. (Byte 23.)")
    ),
    Row(
      .body("{\"query\":\"{__ty"),
      .rejected(400, "BAD_REQUEST", "The body is not JSON: The JSON text ends too early. (Byte 15.)")
    ),
    Row(
      .body("{\"query\":\"{__typename}\",}"),
      .rejected(
        400,
        "BAD_REQUEST",
        "The body is not JSON: Trailing commas are not allowed in JSON. (Byte 23.)"
      )
    ),
    Row(
      .body("{\"query\":\"{__typename}\"}{\"query\":\"{__typename}\"}"),
      .rejected(400, "BAD_REQUEST", "The body is not JSON: Unexpected text follows the JSON value. (Byte 24.)")
    ),
    Row(
      .body("{/**/\"query\":\"{__typename}\"}"),
      .rejected(400, "BAD_REQUEST", "The body is not JSON: A key in quotation marks is expected here. (Byte 1.)")
    ),
    Row(
      .body("{'query':'{__typename}'}"),
      .rejected(400, "BAD_REQUEST", "The body is not JSON: A key in quotation marks is expected here. (Byte 1.)")
    ),
    Row(
      .body("\u{ef}\u{bb}\u{bf}{\"query\":\"{__typename}\"}"),
      .rejected(
        400,
        "BAD_REQUEST",
        "The body is not JSON: The JSON text begins with a byte order mark; it must be UTF-8 without one. (Byte 0.)"
      )
    ),
    Row(
      .body("{\"query\":\"\u{ff}\u{fe}\"}"),
      .rejected(400, "BAD_REQUEST", "The body is not JSON: A string is not valid UTF-8. (Byte 10.)")
    ),
    Row(
      .body("{\"query\":\"\u{c0}\u{80}\"}"),
      .rejected(400, "BAD_REQUEST", "The body is not JSON: A string is not valid UTF-8. (Byte 10.)")
    ),
    Row(
      .body("{\"query\":\"\u{0}\"}"),
      .rejected(
        400,
        "BAD_REQUEST",
        "The body is not JSON: A string contains a control character, which must be escaped. (Byte 10.)"
      )
    ),
    Row(
      .body("{\"query\":\"\\ud800\"}"),
      .rejected(
        400,
        "BAD_REQUEST",
        "The body is not JSON: A string contains a lone surrogate. (Byte 10.)"
      )
    ),
    Row(
      .body("{\"query\":\"\\x\"}"),
      .rejected(400, "BAD_REQUEST", "The body is not JSON: A string contains an invalid escape sequence. (Byte 10.)")
    ),
    Row(
      .body("{\"query\":NaN}"),
      .rejected(400, "BAD_REQUEST", "The body is not JSON: A JSON value is expected here. (Byte 9.)")
    ),
    Row(
      .body(String(repeating: "[", count: 200)),
      .rejected(
        400,
        "BAD_REQUEST",
        "The body is not JSON: The arrays and objects of the JSON text are nested too deeply. (Byte 100.)"
      )
    ),
    Row(.body("null"), .rejected(422, "BAD_REQUEST", "The body must be a JSON object, not null.")),
    Row(.body("[]"), .rejected(422, "BAD_REQUEST", "The body must be a JSON object, not an array.")),
    Row(
      .body("[{\"query\":\"{__typename}\"}]"),
      .rejected(422, "BAD_REQUEST", "The body must be a JSON object, not an array.")
    ),
    Row(.body("\"{__typename}\""), .rejected(422, "BAD_REQUEST", "The body must be a JSON object, not a string.")),
    Row(.body("7"), .rejected(422, "BAD_REQUEST", "The body must be a JSON object, not a number.")),
    Row(.body("true"), .rejected(422, "BAD_REQUEST", "The body must be a JSON object, not a Boolean.")),
    Row(.body("{}"), .rejected(422, "BAD_REQUEST", "The request has no `query`.")),
    Row(
      .body("{\"extensions\":{\"persistedQuery\":{\"version\":2,\"sha256Hash\":\"a\"}}}"),
      .rejected(422, "BAD_REQUEST", "`extensions.persistedQuery.version` must be 1.")
    ),
    Row(
      .body("{\"documentId\":\"a\"}"),
      .rejected(
        422,
        "PERSISTED_QUERY_NOT_FOUND",
        "This server does not know the document of this `documentId`: send its text as `query`."
      )
    ),
    Row(.body("{\"query\":null}"), .rejected(422, "BAD_REQUEST", "The request has no `query`.")),
    Row(.body("{\"query\":7}"), .rejected(422, "BAD_REQUEST", "`query` must be a string, not a number.")),
    Row(
      .body("{\"query\":[\"{__typename}\"]}"),
      .rejected(422, "BAD_REQUEST", "`query` must be a string, not an array.")
    ),
    Row(.body("{\"query\":{}}"), .rejected(422, "BAD_REQUEST", "`query` must be a string, not an object.")),
    Row(
      .body("{\"query\":\"{__typename}\",\"query\":\"{__typename}\"}"),
      .rejected(422, "BAD_REQUEST", "`query` is given twice.")
    ),
    Row(
      .body("{\"query\":\"{__typename}\",\"variables\":\"{}\"}"),
      .rejected(422, "BAD_REQUEST", "`variables` must be an object, not a string.")
    ),
    Row(
      .body("{\"query\":\"{__typename}\",\"variables\":[]}"),
      .rejected(422, "BAD_REQUEST", "`variables` must be an object, not an array.")
    ),
    Row(
      .body("{\"query\":\"{__typename}\",\"variables\":1}"),
      .rejected(422, "BAD_REQUEST", "`variables` must be an object, not a number.")
    ),
    Row(
      .body("{\"query\":\"{__typename}\",\"variables\":{},\"variables\":{}}"),
      .rejected(422, "BAD_REQUEST", "`variables` is given twice.")
    ),
    Row(
      .body("{\"query\":\"query($a:ID!){node(id:$a){id}}\",\"variables\":{\"a\":1,\"a\":2}}"),
      .rejected(422, "BAD_REQUEST", "In the variables, `a` is given twice.")
    ),
    Row(
      .body("{\"query\":\"{__typename}\",\"operationName\":1}"),
      .rejected(422, "BAD_REQUEST", "`operationName` must be a string, not a number.")
    ),
    Row(
      .body("{\"query\":\"{__typename}\",\"operationName\":{}}"),
      .rejected(422, "BAD_REQUEST", "`operationName` must be a string, not an object.")
    ),
    Row(
      .body("{\"query\":\"{__typename}\",\"operationName\":\"X\"}"),
      .rejected(422, "OPERATION_RESOLUTION_FAILURE", "Unknown operation named \"X\".")
    ),
    Row(
      .body("{\"query\":\"{__typename}\",\"operationName\":\"e\\u0301\"}"),
      .rejected(422, "BAD_REQUEST", "`operationName` must be a GraphQL name: ASCII characters only.")
    ),
    Row(
      .body("{\"query\":\"{__typename}\",\"extensions\":\"x\"}"),
      .rejected(422, "BAD_REQUEST", "`extensions` must be an object, not a string.")
    ),
    Row(
      .body("{\"query\":\"{__typename}\",\"extensions\":[]}"),
      .rejected(422, "BAD_REQUEST", "`extensions` must be an object, not an array.")
    ),
    Row(
      .body("{\"query\":\"{__typename}\",\"onError\":\"BREAK\"}"),
      .rejected(422, "BAD_REQUEST", "`onError` must be PROPAGATE, NULL or HALT.")
    ),
    Row(
      .body("{\"query\":\"\"}"),
      .rejected(400, "GRAPHQL_PARSE_FAILED", "Syntax Error: Unexpected <EOF>.", at: (1, 1))
    ),
    Row(
      .body("{\"query\":\"# nothing\"}"),
      .rejected(400, "GRAPHQL_PARSE_FAILED", "Syntax Error: Unexpected <EOF>.", at: (1, 10))
    ),
    Row(
      .body("{\"query\":\"type A { b: Int }\"}"),
      .rejected(422, "GRAPHQL_VALIDATION_FAILED", "The \"A\" definition is not executable.", at: (1, 1))
    ),
    Row(
      .body("{\"query\":\"{\"}"),
      .rejected(400, "GRAPHQL_PARSE_FAILED", "Syntax Error: Expected Name, found <EOF>.", at: (1, 2))
    ),
    Row(
      .body("{\"query\":\"{nothing}\"}"),
      .rejected(422, "GRAPHQL_VALIDATION_FAILED", "Cannot query field \"nothing\" on type \"Query\".", at: (1, 2))
    ),
    Row(
      .body("{\"query\":\"query($a:Int){__typename}\",\"variables\":{\"a\":1e999}}"),
      .rejected(422, "GRAPHQL_VALIDATION_FAILED", "Variable \"$a\" is never used.", at: (1, 7))
    ),
  ]

  private static let operations = #"{"query":"query($f:Upload){__typename}","variables":{"f":null}}"#

  /// Bodies of several parts.
  static let forms: [Row] = [
    Row(
      .form(""),
      .rejected(
        400,
        "BAD_REQUEST",
        "The body does not contain the boundary of its Content-Type, or the boundary is malformed."
      )
    ),
    Row(
      .form("--y--\r\n"),
      .rejected(
        400,
        "BAD_REQUEST",
        "The body does not contain the boundary of its Content-Type, or the boundary is malformed."
      )
    ),
    Row(
      .form("--x--\r\n", contentType: "multipart/form-data"),
      .rejected(400, "BAD_REQUEST", "The Content-Type of a multipart body must have a boundary of 1 to 70 characters.")
    ),
    Row(
      .form("--x\r\nContent-Disposition: form-data; name=\"map\"\r\n\r\n{}"),
      .rejected(400, "BAD_REQUEST", "The body ends before its last boundary.")
    ),
    Row(
      .form("--x\r\nContent-Type: text/plain\r\n\r\n{}\r\n--x--\r\n"),
      .rejected(
        400,
        "BAD_REQUEST",
        "Each part must have a Content-Disposition of the form: form-data; name=\"…\". A quote in a name is %22."
      )
    ),
    Row(.parts(["map": "{}"]), .rejected(400, "BAD_REQUEST", "The part `operations` is missing.")),
    Row(.parts(["operations": operations]), .rejected(400, "BAD_REQUEST", "The part `map` is missing.")),
    Row(
      .parts(["operations": "{", "map": "{}"]),
      .rejected(400, "BAD_REQUEST", "The body is not JSON: The JSON text ends too early. (Byte 1.)")
    ),
    Row(
      .parts(["operations": "[\(operations)]", "map": "{}"]),
      .rejected(400, "BAD_REQUEST", "`operations` must be one request, not a list.")
    ),
    Row(.parts(["operations": "{}", "map": "{}"]), .rejected(400, "BAD_REQUEST", "The request has no `query`.")),
    Row(
      .parts(["operations": operations, "map": "{"]),
      .rejected(400, "BAD_REQUEST", "The `map` is not JSON: The JSON text ends too early. (Byte 1.)")
    ),
    Row(
      .parts(["operations": operations, "map": "[]"]),
      .rejected(400, "BAD_REQUEST", "The `map` must be an object of lists of paths, not an array.")
    ),
    Row(
      .parts(["operations": operations, "map": #"{"0":"variables.f"}"#]),
      .rejected(400, "BAD_REQUEST", "The `map` must be an object of lists of paths, not of a string.")
    ),
    Row(
      .parts(["operations": operations, "map": #"{"0":[7]}"#]),
      .rejected(400, "BAD_REQUEST", "The `map` must be an object of lists of paths, and a path is a string.")
    ),
    Row(
      .parts(["operations": operations, "map": #"{"0":[]}"#]),
      .rejected(400, "BAD_REQUEST", "The `map` has no path for the part `0`.")
    ),
    Row(
      .parts(["operations": operations, "map": #"{"0":["variables.f"]}"#]),
      .rejected(400, "BAD_REQUEST", "The `map` names the part `0`, which is missing.")
    ),
    Row(
      .parts(["operations": operations, "map": "{}", "0": "x"]),
      .rejected(400, "BAD_REQUEST", "The part `0` is not in the `map`.")
    ),
    Row(
      .parts(["operations": operations, "map": #"{"0":["variables.g"]}"#, "0": "x"]),
      .rejected(400, "BAD_REQUEST", "The path `variables.g` of the `map` does not lead to a `null` in the variables.")
    ),
    Row(
      .parts(["operations": operations, "map": #"{"0":["query"]}"#, "0": "x"]),
      .rejected(400, "BAD_REQUEST", "The path `query` of the `map` does not lead to a `null` in the variables.")
    ),
    Row(
      .parts(["operations": operations, "map": "{}", "map": "{}"]),
      .rejected(400, "BAD_REQUEST", "There are two parts named `map`.")
    ),
  ]

  /// Queries of GET.
  static let gets: [Row] = [
    Row(.get("/graphql?"), .rejected(422, "BAD_REQUEST", "The request has no `query`.")),
    Row(.get("/graphql?query="), .rejected(400, "GRAPHQL_PARSE_FAILED", "Syntax Error: Unexpected <EOF>.", at: (1, 1))),
    Row(
      .get("/graphql?query=%7B__typename%7D&query=%7B__typename%7D"),
      .rejected(422, "BAD_REQUEST", "`query` is given twice.")
    ),
    Row(.get("/graphql?query=%zz"), .rejected(400, "BAD_REQUEST", "A % is not followed by two hexadecimal digits.")),
    Row(
      .get("/graphql?extensions=x&query=%7B__typename%7D"),
      .rejected(400, "BAD_REQUEST", "`extensions` is not JSON: A JSON value is expected here. (Byte 0.)")
    ),
    Row(.get("/graphql?query=%7"), .rejected(400, "BAD_REQUEST", "A % is not followed by two hexadecimal digits.")),
    Row(.get("/graphql?query=%ff"), .rejected(400, "BAD_REQUEST", "The percent-encoded bytes are not UTF-8.")),
    Row(
      .get("/graphql?query=%7B__typename%7D&variables=x"),
      .rejected(400, "BAD_REQUEST", "`variables` is not JSON: A JSON value is expected here. (Byte 0.)")
    ),
    Row(
      .get("/graphql?query=%7B__typename%7D&variables=%5B%5D"),
      .rejected(422, "BAD_REQUEST", "`variables` must be an object, not an array.")
    ),
    Row(
      .get("/graphql?query=mutation%7BsignOut%7B__typename%7D%7D"),
      .rejected(405, "METHOD_NOT_ALLOWED", "GET executes queries only: send mutations by POST.")
    ),
    Row(
      .get("/graphql?query=%7B__typename%7D&onError=x"),
      .rejected(422, "BAD_REQUEST", "`onError` must be PROPAGATE, NULL or HALT.")
    ),
  ]

  /// Methods, accepted types, and invalid HTTP.
  static let others: [Row] = [
    Row(.raw("HEAD /graphql?query=%7B HTTP/1.1\r\nHost: h\r\n\r\n"), .empty(400, "application/graphql-response+json")),
    Row(
      .raw("PUT /graphql HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n"),
      .rejected(405, "METHOD_NOT_ALLOWED", "PUT is not GET or POST.")
    ),
    Row(
      .raw("DELETE /graphql HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n"),
      .rejected(405, "METHOD_NOT_ALLOWED", "DELETE is not GET or POST.")
    ),
    Row(
      .raw("PATCH /graphql HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n"),
      .rejected(405, "METHOD_NOT_ALLOWED", "PATCH is not GET or POST.")
    ),
    Row(
      .raw("TRACE /graphql HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n"),
      .rejected(405, "METHOD_NOT_ALLOWED", "TRACE is not GET or POST.")
    ),
    Row(
      .raw("BREW /graphql HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n"),
      .rejected(405, "METHOD_NOT_ALLOWED", "BREW is not GET or POST.")
    ),
    Row(
      .raw(
        "POST /graphql HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nAccept: image/png\r\nContent-Length: 24\r\n\r\n{\"query\":\"{__typename}\"}"
      ),
      .rejected(
        406,
        "NOT_ACCEPTABLE",
        "Responses are available as application/graphql-response+json, application/json, multipart/mixed or text/event-stream.",
        as: "application/json"
      )
    ),
    Row(
      .raw(
        "POST /graphql HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nAccept: text/html\r\nContent-Length: 24\r\n\r\n{\"query\":\"{__typename}\"}"
      ),
      .rejected(
        406,
        "NOT_ACCEPTABLE",
        "Responses are available as application/graphql-response+json, application/json, multipart/mixed or text/event-stream.",
        as: "application/json"
      )
    ),
    Row(
      .raw(
        "POST /graphql HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nAccept: application/json;q=0\r\nContent-Length: 24\r\n\r\n{\"query\":\"{__typename}\"}"
      ),
      .rejected(
        406,
        "NOT_ACCEPTABLE",
        "Responses are available as application/graphql-response+json, application/json, multipart/mixed or text/event-stream.",
        as: "application/json"
      )
    ),
    Row(
      .raw(
        "POST /graphql HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nAccept: application/xml, */*;q=0\r\nContent-Length: 24\r\n\r\n{\"query\":\"{__typename}\"}"
      ),
      .rejected(
        406,
        "NOT_ACCEPTABLE",
        "Responses are available as application/graphql-response+json, application/json, multipart/mixed or text/event-stream.",
        as: "application/json"
      )
    ),
    Row(
      .raw(
        "POST /graphql HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nAccept: ;;;\r\nContent-Length: 24\r\n\r\n{\"query\":\"{__typename}\"}"
      ),
      .rejected(
        406,
        "NOT_ACCEPTABLE",
        "Responses are available as application/graphql-response+json, application/json, multipart/mixed or text/event-stream.",
        as: "application/json"
      )
    ),
    Row(
      .raw("POST /graphql HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n\r\n"),
      .rejected(400, "BAD_REQUEST", "The body is not JSON: The JSON text ends too early. (Byte 0.)")
    ),
    Row(
      .raw(
        "POST /graphql HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}"
      ),
      .text(
        400,
        "REPEATED_CONTENT_LENGTH: The Content-Length header occurs more than once. (Line 5 of the request's head.)\n"
      )
    ),
    Row(
      .raw("POST /graphql HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}"),
      .text(
        400,
        "CONTENT_LENGTH_WITH_TRANSFER_ENCODING: The request has both Content-Length and Transfer-Encoding; send one of them.\n"
      )
    ),
    Row(
      .raw("POST /graphql HTTP/1.1\r\nHost: h\r\nContent-Length: -1\r\n\r\n"),
      .text(
        400,
        "INVALID_CONTENT_LENGTH: Content-Length is not a number of bytes in decimal digits. (Line 3 of the request's head.)\n"
      )
    ),
    Row(
      .raw(
        "POST /graphql HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n"
      ),
      .rejected(413, "BODY_TOO_LONG", "The body has too many bytes. The limit is 1048576.")
    ),
    Row(
      .raw(
        "POST /graphql HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"
      ),
      .text(400, "INVALID_CHUNK_SIZE: The size of a chunk is not a hexadecimal number.\n")
    ),
    Row(
      .raw("POST /graphql HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip\r\n\r\n"),
      .text(
        400,
        "UNSUPPORTED_TRANSFER_ENCODING: The only supported Transfer-Encoding is a single 'chunked'. (Line 3 of the request's head.)\n"
      )
    ),
    Row(
      .raw(
        "POST /graphql HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: 24\r\n\r\n{\"query\":\"{__typename}\"}"
      ),
      .unsupported
    ),
    Row(
      .raw(
        "POST /graphql HTTP/1.1\r\nHost: h\r\nGraphQL-Require-Preflight: 1\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\n--x--"
      ),
      .unsupported
    ),
    Row(
      .raw("GET /graphql HTTP/1.1\r\n\r\n"),
      .text(400, "MISSING_HOST: The Host header is missing; HTTP/1.1 requires it.\n")
    ),
    Row(
      .raw("GET /graphql HTTP/1.1\r\nHost: h\r\nX Y: 1\r\n\r\n"),
      .text(
        400,
        "INVALID_HEADER_NAME: A header name is empty or contains an invalid character. (Line 3 of the request's head.)\n"
      )
    ),
    Row(
      .raw("GET /graphql HTTP/1.1\r\nHost: h\r\nX: 1\r\n y\r\n\r\n"),
      .text(
        400,
        "FOLDED_HEADER: A header line begins with whitespace; folded headers are not supported. (Line 4 of the request's head.)\n"
      )
    ),
    Row(
      .raw("hello\r\n\r\n"),
      .text(
        400,
        "MALFORMED_REQUEST_LINE: The request line must be a method, a target and HTTP/1.1, with one space between. (Line 1 of the request's head.)\n"
      )
    ),
    Row(
      .raw("GET /graphql HTTP/3.0\r\nHost: h\r\n\r\n"),
      .text(
        505,
        "UNSUPPORTED_VERSION: This server supports HTTP/1.1 and HTTP/1.0 only. (Line 1 of the request's head.)\n"
      )
    ),
    Row(
      .get("/graphql?query=" + String(repeating: "a", count: 100_000)),
      .text(
        414,
        "REQUEST_LINE_TOO_LONG: The request line has too many bytes. Send a long query in the body of a POST. The limit is 16384. (Line 1 of the request's head.)\n"
      )
    ),
  ]

  @Test func `each gets the documented error`() async throws {
    try await TestServer.run(loops: 1) { server in
      let port = server.port
      await checkEach(Self.contentTypes + Self.bodies + Self.forms + Self.gets + Self.others) { row in
        let answer = try await TestThread {
          let socket = try TestSocket(port: port)
          try socket.send(row.request.bytes)
          return try socket.httpAnswer(toHead: row.request.bytes.starts(with: "HEAD ".utf8))
        }.value
        #expect(answer.status == row.answer.status, "\(row)")
        #expect(answer.headers["content-type"] == row.answer.contentType, "\(row)")
        #expect(answer.text == row.answer.body, "\(row)")
      }
    }
  }
}
