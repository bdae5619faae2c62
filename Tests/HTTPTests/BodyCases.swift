extension RequestCase {
  static let framing = [
    RequestCase("a body", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello", "POST / 'hello'"),
    headers("an empty body", "Content-Length: 0", "POST / ''"),
    RequestCase("a body of GET", "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi", "GET / 'hi'"),
    RequestCase("half a body", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhe"),
    RequestCase("zeros before a length", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 002\r\n\r\nhi", "POST / 'hi'"),
    headers("two lengths", "Content-Length: 5\r\nContent-Length: 6", "400 REPEATED_CONTENT_LENGTH"),
    headers("two equal lengths", "Content-Length: 5\r\ncontent-length: 5", "400 REPEATED_CONTENT_LENGTH"),
    headers("two lengths in one", "Content-Length: 5, 5", "400 INVALID_CONTENT_LENGTH"),
    headers("an empty length", "Content-Length:", "400 INVALID_CONTENT_LENGTH"),
    headers("a positive length", "Content-Length: +5", "400 INVALID_CONTENT_LENGTH"),
    headers("a negative length", "Content-Length: -5", "400 INVALID_CONTENT_LENGTH"),
    headers("a hexadecimal length", "Content-Length: 0x5", "400 INVALID_CONTENT_LENGTH"),
    headers("a fractional length", "Content-Length: 5.0", "400 INVALID_CONTENT_LENGTH"),
    headers("a length with a space", "Content-Length: 1 0", "400 INVALID_CONTENT_LENGTH"),
    headers("a length of other digits", "Content-Length: ５", "400 INVALID_CONTENT_LENGTH"),
    headers("a length past 64 bits", "Content-Length: 18446744073709551621", "400 INVALID_CONTENT_LENGTH"),
    headers("a very great length", "Content-Length: 999999999999999999", "413 BODY_TOO_LONG"),
    headers(
      "a length and chunks",
      "Content-Length: 5\r\nTransfer-Encoding: chunked",
      "400 CONTENT_LENGTH_WITH_TRANSFER_ENCODING"
    ),
    headers(
      "chunks and a length",
      "Transfer-Encoding: chunked\r\nContent-Length: 5",
      "400 CONTENT_LENGTH_WITH_TRANSFER_ENCODING"
    ),
    headers("another coding", "Transfer-Encoding: gzip", "400 UNSUPPORTED_TRANSFER_ENCODING"),
    headers("two codings", "Transfer-Encoding: gzip, chunked", "501 UNKNOWN_TRANSFER_CODING"),
    headers("three codings", "Transfer-Encoding: a, b ,Chunked", "501 UNKNOWN_TRANSFER_CODING"),
    headers("a coding after chunked", "Transfer-Encoding: chunked, gzip", "400 UNSUPPORTED_TRANSFER_ENCODING"),
    headers(
      "chunked around a coding",
      "Transfer-Encoding: chunked, gzip, chunked",
      "400 UNSUPPORTED_TRANSFER_ENCODING"
    ),
    headers("chunked twice", "Transfer-Encoding: chunked, chunked", "400 UNSUPPORTED_TRANSFER_ENCODING"),
    headers(
      "chunked in two lines",
      "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
      "400 UNSUPPORTED_TRANSFER_ENCODING"
    ),
    headers("identity", "Transfer-Encoding: identity", "400 UNSUPPORTED_TRANSFER_ENCODING"),
    headers("a coding almost chunked", "Transfer-Encoding: xchunked", "400 UNSUPPORTED_TRANSFER_ENCODING"),
    headers("chunked with a parameter", "Transfer-Encoding: chunked;q=1", "400 UNSUPPORTED_TRANSFER_ENCODING"),
    headers("a quoted coding", "Transfer-Encoding: \"chunked\"", "400 UNSUPPORTED_TRANSFER_ENCODING"),
    headers("an empty coding", "Transfer-Encoding:", "400 UNSUPPORTED_TRANSFER_ENCODING"),
    RequestCase(
      "chunks in HTTP/1.0",
      "POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      "400 TRANSFER_ENCODING_IN_HTTP_1_0"
    ),
    headers("another expectation", "Expect: 200-ok", "417 UNKNOWN_EXPECTATION"),
  ]

  static let chunks = [
    chunked("no chunk but the last", "0\r\n\r\n", "POST / ''"),
    chunked("two chunks", "5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n", "POST / 'hello world'"),
    chunked(
      "sizes in hexadecimal",
      "a\r\n0123456789\r\nA\r\nabcdefghij\r\n00\r\n\r\n",
      "POST / '0123456789abcdefghij'"
    ),
    chunked("line ends within data", "4\r\n\r\n\r\n\r\n0\r\n\r\n", "POST / '\r\n\r\n'"),
    chunked("extensions", "2;a=b;c=\"d e\"\r\nhi\r\n0;z\r\n\r\n", "POST / 'hi'"),
    chunked("trailers", "2\r\nhi\r\n0\r\nChecksum: x\r\nContent-Length: 9\r\n\r\n", "POST / 'hi'"),
    chunked("half a chunk", "5\r\nhe"),
    chunked("no last chunk", "2\r\nhi\r\n"),
    chunked("no end of the trailers", "0\r\n"),
    chunked("no size", "\r\nhi\r\n", "400 INVALID_CHUNK_SIZE"),
    chunked("an extension without a size", ";a\r\n", "400 INVALID_CHUNK_SIZE"),
    chunked("a positive size", "+2\r\nhi\r\n", "400 INVALID_CHUNK_SIZE"),
    chunked("a negative size", "-2\r\nhi\r\n", "400 INVALID_CHUNK_SIZE"),
    chunked("a prefixed size", "0x2\r\nhi\r\n", "400 INVALID_CHUNK_SIZE"),
    chunked("a space before a size", " 2\r\nhi\r\n", "400 INVALID_CHUNK_SIZE"),
    chunked("a space after a size", "2 \r\nhi\r\n", "400 INVALID_CHUNK_SIZE"),
    chunked("whitespace in extensions", "2 ; a\t= \"b\" ;c\r\nhi\r\n0\r\n\r\n", "POST / 'hi'"),
    chunked("a quoted semicolon", "2;a=\"b;\\\"=c\"\r\nhi\r\n0\r\n\r\n", "POST / 'hi'"),
    chunked("an empty extension", "2;\r\nhi\r\n", "400 INVALID_CHUNK_EXTENSION"),
    chunked("two empty extensions", "2;;\r\nhi\r\n", "400 INVALID_CHUNK_EXTENSION"),
    chunked("an extension without a value", "2;a=\r\nhi\r\n", "400 INVALID_CHUNK_EXTENSION"),
    chunked("an extension without a name", "2;=b\r\nhi\r\n", "400 INVALID_CHUNK_EXTENSION"),
    chunked("an open quotation", "2;a=\"b\r\nhi\r\n", "400 INVALID_CHUNK_EXTENSION"),
    chunked("a space in a value", "2;a=b c\r\nhi\r\n", "400 INVALID_CHUNK_EXTENSION"),
    chunked("a space after an extension", "2;a \r\nhi\r\n", "400 INVALID_CHUNK_EXTENSION"),
    chunked("a size past 64 bits", "10000000000000002\r\nhi\r\n", "400 INVALID_CHUNK_SIZE"),
    chunked("a very great size", "fffffffffffffff\r\nhi\r\n", "413 BODY_TOO_LONG"),
    chunked("a size with more zeros than any needs", "0000000000000002\r\nhi\r\n", "400 INVALID_CHUNK_SIZE"),
    chunked("a bare LF after a size", "2\nhi\r\n", "400 BARE_LINE_FEED"),
    chunked("a bare CR after a size", "2\rhi\r\n", "400 INVALID_CHUNK_SIZE"),
    chunked("a bare LF after data", "2\r\nhi\n0\r\n\r\n", "400 BARE_LINE_FEED"),
    chunked("more data than the size says", "2\r\nhim\r\n0\r\n\r\n", "400 INVALID_CHUNK_END"),
    chunked("less data than the size says", "3\r\nhi\r\n0\r\n\r\n", "400 BARE_LINE_FEED"),
    chunked("much less data than the size says", "4\r\nhi\r\n0\r\n\r\n", "400 INVALID_CHUNK_END"),
    chunked("a NUL in an extension", "2;a\0\r\nhi\r\n", "400 INVALID_CHUNK_EXTENSION"),
    chunked("a bare CR in an extension", "2;a\rb\r\nhi\r\n", "400 INVALID_CHUNK_EXTENSION"),
    chunked("a bare LF in an extension", "2;a\nb\r\nhi\r\n", "400 BARE_LINE_FEED"),
    chunked("a folded trailer", "0\r\nA: b\r\n c\r\n\r\n", "400 FOLDED_HEADER"),
    chunked("a trailer without a colon", "0\r\nA\r\n\r\n", "400 HEADER_WITHOUT_COLON"),
    chunked("a bare LF after a trailer", "0\r\nA: b\n\r\n", "400 BARE_LINE_FEED"),
    chunked(
      "a request after the chunks",
      "2\r\nhi\r\n0\r\n\r\nGET /b HTTP/1.1\r\nHost: a\r\n\r\n",
      "POST / 'hi'",
      "GET /b ''"
    ),
  ]

  static let sequences = [
    RequestCase("nothing", ""),
    RequestCase(
      "three requests",
      "GET /1 HTTP/1.1\r\nHost: a\r\n\r\nPOST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi"
        + "GET /3 HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET /1 ''",
      "POST /2 'hi'",
      "GET /3 ''"
    ),
    RequestCase(
      "an empty line after a body",
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi\r\nGET /b HTTP/1.1\r\nHost: a\r\n\r\n",
      "POST / 'hi'",
      "GET /b ''"
    ),
    RequestCase(
      "a bad request after a good one",
      "GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\n\r\nGET /3 HTTP/1.1\r\n\r\n",
      "GET /1 ''",
      "400 MISSING_HOST"
    ),
    RequestCase(
      "a body longer than its length",
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi{}",
      "POST / 'hi'",
      "400 NOT_HTTP"
    ),
  ]
}
