import HTTP

@testable import GraphQL
@testable import GraphQLTransport

/// The body of a form with files, whose first line is the boundary. Its parts, written again with another boundary, are
/// read as the same; a request that is accepted refers to no file but its own.
enum MultipartTarget {
  /// Returns whether the form is a request.
  static func check(_ input: [UInt8]) throws -> Bool {
    let line = input.prefix(while: { $0 != 0x0D })
    let boundary = String(decoding: line.dropFirst(2), as: UTF8.self)
    guard line.starts(with: Array("--".utf8)), !boundary.contains("\""), !boundary.contains("\\"),
      let type = MediaType("multipart/form-data; boundary=\"\(boundary)\"")
    else { return false }
    try checkParts(of: input, type)
    let request: MultipartRequest
    do {
      request = try MultipartRequest(input[...], contentType: type)
    } catch {
      try require(error.message.utf8.count < 20_000, "A message has \(error.message.utf8.count) bytes.")
      return false
    }
    try require(request.files.count <= 10, "There are \(request.files.count) files.")
    let uploads = request.request.variables.files.map { Array($0.values) } ?? []
    try require(Set(uploads) == Set(request.files.indices), "The variables name the files \(uploads).")
    try require(uploads.count <= 50, "The files have \(uploads.count) paths.")
    return true
  }

  private static func checkParts(of body: [UInt8], _ type: MediaType) throws {
    guard let parts = try? read(body, type) else { return }
    try require(parts.reduce(0) { $0 + $1.content.count } <= body.count, "The parts have more bytes than the body.")
    // Names with quotation marks and line ends are written by clients as escapes, which are not decoded.
    guard parts.allSatisfy({ !$0.name.utf8.contains { $0 == 0x22 || $0 == 0x0D || $0 == 0x0A } }) else { return }
    var boundary = "hearth"
    let text = String(decoding: body, as: UTF8.self)
    while text.contains(boundary) { boundary += "-" }
    guard boundary.utf8.count <= 70, let again = MediaType("multipart/form-data; boundary=\(boundary)") else { return }
    var written: [UInt8] = []
    for part in parts {
      let head = "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(part.name)\"\r\n\r\n"
      guard head.utf8.count < 4096 else { return }
      written += Array(head.utf8) + part.content + Array("\r\n".utf8)
    }
    written += Array("--\(boundary)--\r\n".utf8)
    let reread = try read(written, again)
    try require(reread.map(\.name) == parts.map(\.name), "The parts have other names when they are read again.")
    try require(
      reread.map(\.content) == parts.map(\.content),
      "The parts have another content when they are read again."
    )
  }

  private static func read(_ body: [UInt8], _ type: MediaType) throws -> [MultipartReader.Part] {
    var reader = try MultipartReader(body[...], contentType: type)
    var parts: [MultipartReader.Part] = []
    while let part = try reader.next() { parts.append(part) }
    return parts
  }
}
