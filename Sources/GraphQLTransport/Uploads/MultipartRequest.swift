import GraphQL
import HTTP
import JSON

/// A GraphQL request with files (GraphQL multipart request specification, version 2). The part `operations` contains
/// the request, the part `map` assigns each file to paths in the variables, and the other parts are the files. A list
/// of requests has no files, although the specification allows it.
struct MultipartRequest {
  /// More than any mutation accepts.
  private static let maximumFiles = 10
  private static let maximumParts = maximumFiles + 2
  /// A file can be assigned to several paths.
  private static let maximumPaths = 50
  private static let maximumVariableValues = 10_000
  private static let maximumOperationsBytes = 1024 * 1024
  private static let maximumMapBytes = 16 * 1024

  /// Its variables contain the index of a file wherever a file was assigned.
  let request: GraphQLRequest
  let files: [UploadedFile]

  init(_ body: ArraySlice<UInt8>, contentType: MediaType) throws(BadRequestError) {
    let parts = try Self.parts(of: body, contentType: contentType)
    guard let operations = parts["operations"]?.content else {
      throw BadRequestError("The part `operations` is missing.")
    }
    guard operations.count <= Self.maximumOperationsBytes else {
      throw BadRequestError("The part `operations` has more than \(Self.maximumOperationsBytes) bytes.")
    }
    guard !RequestBody.isList(operations) else {
      throw BadRequestError("`operations` must be one request, not a list.")
    }
    var request = try GraphQLRequest.read(json: operations)
    // Following a path costs time proportional to the values that precede its target.
    guard request.variables.valueCount <= Self.maximumVariableValues else {
      throw BadRequestError(
        "The variables of a request with files have more than \(Self.maximumVariableValues) values."
      )
    }
    guard let map = parts["map"]?.content else { throw BadRequestError("The part `map` is missing.") }
    guard map.count <= Self.maximumMapBytes else {
      throw BadRequestError("The part `map` has more than \(Self.maximumMapBytes) bytes.")
    }
    var pathsByPart = try Self.pathsByPart(in: map)
    var files: [UploadedFile] = []
    for name in parts.keys.sorted() where name != "operations" && name != "map" {
      guard let part = parts[name], let paths = pathsByPart.removeValue(forKey: name) else {
        throw BadRequestError("The part `\(Self.shown(name))` is not in the `map`.")
      }
      for path in paths { try Self.put(files.count, at: path, of: &request) }
      files.append(UploadedFile(content: part.content, name: part.fileName, contentType: part.contentType))
    }
    if let missing = pathsByPart.keys.min() {
      throw BadRequestError("The `map` names the part `\(Self.shown(missing))`, which is missing.")
    }
    self.request = request
    self.files = files
  }

  /// The parts, by their names.
  private static func parts(
    of body: ArraySlice<UInt8>,
    contentType: MediaType
  ) throws(BadRequestError) -> [String: MultipartReader.Part] {
    var parts: [MultipartReader.Part] = []
    do throws(MultipartError) {
      var reader = try MultipartReader(body, contentType: contentType)
      while parts.count <= maximumParts, let part = try reader.next() { parts.append(part) }
    } catch {
      throw BadRequestError(error.description)
    }
    guard parts.count <= maximumParts else {
      throw BadRequestError("A request can have at most \(maximumFiles) files.")
    }
    var partsByName: [String: MultipartReader.Part] = [:]
    for part in parts {
      guard partsByName.updateValue(part, forKey: part.name) == nil else {
        throw BadRequestError("There are two parts named `\(shown(part.name))`.")
      }
    }
    return partsByName
  }

  /// `{ "0": ["variables.input.photo"] }`
  private static func pathsByPart(in map: ArraySlice<UInt8>) throws(BadRequestError) -> [String: [String]] {
    let document: JSONDocument
    do {
      document = try JSONDocument(map)
    } catch {
      throw BadRequestError("The `map` is not JSON: \(error.description)", isMalformedText: true)
    }
    guard let members = document.root.members else {
      throw BadRequestError("The `map` must be an object of lists of paths, not \(document.root.kind.name).")
    }
    var pathsByPart: [String: [String]] = [:]
    var count = 0
    for member in members {
      let name = member.key.string ?? ""
      var paths: [String] = []
      for path in try list(member.value) {
        guard let text = path.string else {
          throw BadRequestError("The `map` must be an object of lists of paths, and a path is a string.")
        }
        paths.append(text)
        count += 1
      }
      guard !paths.isEmpty else { throw BadRequestError("The `map` has no path for the part `\(shown(name))`.") }
      guard count <= maximumPaths else { throw BadRequestError("The `map` has more than \(maximumPaths) paths.") }
      guard pathsByPart.updateValue(paths, forKey: name) == nil else {
        throw BadRequestError("The `map` names the part `\(shown(name))` twice.")
      }
    }
    return pathsByPart
  }

  private static func list(_ value: JSONValue) throws(BadRequestError) -> [JSONValue] {
    guard let elements = value.elements else {
      throw BadRequestError("The `map` must be an object of lists of paths, not of \(value.kind.name).")
    }
    return Array(elements)
  }

  /// Replaces the `null` at a path with a file.
  private static func put(_ file: Int, at path: String, of request: inout GraphQLRequest) throws(BadRequestError) {
    let steps = path.split(separator: ".", maxSplits: 16, omittingEmptySubsequences: false)
    guard steps.count > 1, steps[0] == "variables", request.put(file: file, at: steps[1...]) else {
      throw BadRequestError("The path `\(shown(path))` of the `map` does not lead to a `null` in the variables.")
    }
  }

  /// Truncates text of a client for use in a message.
  private static func shown(_ text: String) -> Substring { text.prefix(100) }
}
