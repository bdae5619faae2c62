import GraphQL
import HTTP
import JSON

/// A GraphQL request with files (GraphQL multipart request specification, version 2): a part `operations` that is the
/// request itself, a part `map` that says to which of its variables each file belongs, and the files.
struct MultipartRequest {
  /// More files than any mutation takes.
  private static let mostFiles = 10
  /// One file may stand in several places.
  private static let mostPlaces = 50
  private static let mostVariableValues = 10_000
  private static let mostOperationsBytes = 1024 * 1024
  private static let mostMapBytes = 16 * 1024

  /// Its variables have the index of a file wherever one is wanted.
  let request: GraphQLRequest
  let files: [UploadedFile]

  init(_ body: ArraySlice<UInt8>, contentType: MediaType) throws(MalformedRequest) {
    let parts = try Self.parts(of: body, contentType)
    guard let operations = parts["operations"] else { throw MalformedRequest("The part `operations` is missing.") }
    guard operations.count <= Self.mostOperationsBytes else {
      throw MalformedRequest("The part `operations` has more than \(Self.mostOperationsBytes) bytes.")
    }
    guard operations.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) != UInt8(ascii: "[") else {
      throw MalformedRequest("`operations` is a list, but each request is one operation.")
    }
    var request = try GraphQLRequest(json: operations)
    // A path is followed step by step, past whatever stands before the file.
    guard request.variables.valueCount <= Self.mostVariableValues else {
      throw MalformedRequest("The variables of a request with files have more than \(Self.mostVariableValues) values.")
    }
    guard let map = parts["map"] else { throw MalformedRequest("The part `map` is missing.") }
    guard map.count <= Self.mostMapBytes else {
      throw MalformedRequest("The part `map` has more than \(Self.mostMapBytes) bytes.")
    }
    var places = try Self.places(in: map)
    var files: [UploadedFile] = []
    for name in parts.keys.sorted() where name != "operations" && name != "map" {
      guard let content = parts[name], let paths = places.removeValue(forKey: name) else {
        throw MalformedRequest("The part `\(Self.shown(name))` is not in the `map`.")
      }
      for path in paths { try Self.put(files.count, at: path, of: &request) }
      files.append(UploadedFile(content: content))
    }
    if let missing = places.keys.min() {
      throw MalformedRequest("The `map` names the part `\(Self.shown(missing))`, which is missing.")
    }
    self.request = request
    self.files = files
  }

  /// The content of each part, by its name.
  private static func parts(
    of body: ArraySlice<UInt8>,
    _ contentType: MediaType
  ) throws(MalformedRequest) -> [String: ArraySlice<UInt8>] {
    var parts: [String: ArraySlice<UInt8>] = [:]
    do {
      var reader = try MultipartReader(body, contentType: contentType)
      while let part = try reader.next() {
        guard parts.count < mostFiles + 2 else { throw MalformedRequest("A request has \(mostFiles) files at most.") }
        guard parts.updateValue(part.content, forKey: part.name) == nil else {
          throw MalformedRequest("There are two parts named `\(shown(part.name))`.")
        }
      }
      return parts
    } catch let error as MalformedRequest {
      throw error
    } catch let error as MultipartError {
      throw MalformedRequest(error.description)
    } catch {
      throw MalformedRequest("\(error)")
    }
  }

  /// `{ "0": ["variables.input.photo"] }`
  private static func places(in map: ArraySlice<UInt8>) throws(MalformedRequest) -> [String: [String]] {
    let document: JSONDocument
    do {
      document = try JSONDocument(map)
    } catch {
      throw MalformedRequest("The `map` is not JSON: \(error.description)")
    }
    guard let members = document.root.members else {
      throw MalformedRequest("The `map` must be an object of lists of paths, not \(document.root.kind.name).")
    }
    var places: [String: [String]] = [:]
    var count = 0
    for member in members {
      let name = member.key.string ?? ""
      var paths: [String] = []
      for path in try list(member.value) {
        guard let text = path.string else {
          throw MalformedRequest("The `map` must be an object of lists of paths, and a path is a string.")
        }
        paths.append(text)
        count += 1
      }
      guard !paths.isEmpty else { throw MalformedRequest("The `map` has no path for the part `\(shown(name))`.") }
      guard count <= mostPlaces else { throw MalformedRequest("The `map` has more than \(mostPlaces) paths.") }
      guard places.updateValue(paths, forKey: name) == nil else {
        throw MalformedRequest("The `map` names the part `\(shown(name))` twice.")
      }
    }
    return places
  }

  private static func list(_ value: JSONValue) throws(MalformedRequest) -> [JSONValue] {
    guard let elements = value.elements else {
      throw MalformedRequest("The `map` must be an object of lists of paths, not of \(value.kind.name).")
    }
    return Array(elements)
  }

  /// Puts a file where there is a `null` for it.
  private static func put(_ file: Int, at path: String, of request: inout GraphQLRequest) throws(MalformedRequest) {
    let steps = path.split(separator: ".", maxSplits: 16, omittingEmptySubsequences: false)
    guard steps.count > 1, steps[0] == "variables", request.put(file: file, at: steps[1...]) else {
      throw MalformedRequest("The path `\(shown(path))` of the `map` does not lead to a `null` in the variables.")
    }
  }

  /// What a client has sent, within a sentence.
  private static func shown(_ text: String) -> Substring { text.prefix(100) }
}
