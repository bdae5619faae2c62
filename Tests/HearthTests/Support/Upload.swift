import Foundation
import TestSupport
import Testing

/// A `multipart/form-data` body.
struct FormBody {
  static let boundary = "a-boundary-of-Hearth's-tests"
  private(set) var bytes: [UInt8] = []

  mutating func add(_ name: String, _ content: [UInt8], fileName: String? = nil) {
    var head = "--\(Self.boundary)\r\nContent-Disposition: form-data; name=\"\(name)\""
    if let fileName { head += "; filename=\"\(fileName)\"\r\nContent-Type: image/gif" }
    bytes += Array((head + "\r\n\r\n").utf8) + content + Array("\r\n".utf8)
  }

  mutating func add(_ name: String, _ content: String) { add(name, Array(content.utf8)) }

  /// With its last boundary.
  var whole: [UInt8] { bytes + Array("--\(Self.boundary)--\r\n".utf8) }

  static let contentType = "multipart/form-data; boundary=\"\(boundary)\""
}

extension Client {
  /// A request with files, each with a path in the variables, and with a false name and type.
  func postFiles(
    _ document: String,
    _ variables: Value,
    _ files: [String: [UInt8]],
    headers: [(String, String)] = []
  ) async throws -> HTTPAnswer {
    var form = FormBody()
    form.add("operations", (["query": .string(document), "variables": variables] as Value).text)
    let paths = files.keys.sorted()
    let map = paths.enumerated().map { (String($0), Value.array([.string("variables.input.\($1)")])) }
    form.add("map", Value.object(Dictionary(uniqueKeysWithValues: map)).text)
    for (index, path) in paths.enumerated() {
      form.add(String(index), files[path] ?? [], fileName: "../../etc/passwd.gif")
    }
    return try await send(form.whole, headers: headers)
  }

  /// The result of a mutation with an input that contains files.
  func perform(_ document: String, _ input: Value, files: [String: [UInt8]]) async throws -> Outcome {
    let input = files.keys.reduce(input) { $0.setting($1, nil) }
    let answer = try await postFiles(document, ["input": input], files)
    try #require(answer.isExecuted, "\(answer.text)")
    return try Outcome(answer.json, of: document)
  }

  func send(
    _ form: [UInt8],
    contentType: String = FormBody.contentType,
    preflight: (String, String)? = ("GraphQL-Require-Preflight", "1"),
    headers: [(String, String)] = []
  ) async throws -> HTTPAnswer {
    var headers = headers + [("Content-Type", contentType)]
    if let preflight { headers.append(preflight) }
    if let token { headers.append(("Authorization", "Bearer \(token)")) }
    return try await http.send("POST", "/graphql", headers: headers, body: form)
  }

  /// Loads a picture by its url, as an `img` of a page does: without a token.
  func load(_ picture: Value, headers: [(String, String)] = []) async throws -> HTTPAnswer {
    let url = try #require(picture["url"].string)
    return try await http.get(String(url.dropFirst("http://127.0.0.1:\(http.port)".count)), headers: headers)
  }
}

extension TestServer {
  /// The files of pictures that are stored.
  var pictureFiles: [String] { Self.pictureFiles(in: directory) }

  static func pictureFiles(in directory: TemporaryDirectory) -> [String] {
    let folder = directory.path + "/media"
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return names.filter { $0.count > 60 }.sorted()
  }
}
