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
  private static let mostOperationsBytes = 1024 * 1024
  private static let mostMapBytes = 16 * 1024

  let request: GraphQLRequest
  /// The variables with a place among `files` wherever one is wanted.
  let variables: InputValue
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
    request = try GraphQLRequest(json: operations)
    guard let map = parts["map"] else { throw MalformedRequest("The part `map` is missing.") }
    guard map.count <= Self.mostMapBytes else {
      throw MalformedRequest("The part `map` has more than \(Self.mostMapBytes) bytes.")
    }
    var places = try Self.places(in: map)
    var files: [UploadedFile] = []
    var variables = try request.variables() ?? .null
    for name in parts.keys.sorted() where name != "operations" && name != "map" {
      guard let content = parts[name], let paths = places.removeValue(forKey: name) else {
        throw MalformedRequest("The part `\(Self.shown(name))` is not in the `map`.")
      }
      for path in paths { try Self.put(.upload(files.count), at: path, in: &variables) }
      files.append(UploadedFile(content: content))
    }
    if let missing = places.keys.min() {
      throw MalformedRequest("The `map` names the part `\(Self.shown(missing))`, which is missing.")
    }
    self.variables = variables
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
  private static func put(_ file: InputValue, at path: String, in variables: inout InputValue) throws(MalformedRequest)
  {
    let steps = path.split(separator: ".", maxSplits: 16, omittingEmptySubsequences: false)
    guard steps.count > 1, steps[0] == "variables", variables.replaceNull(at: steps[1...], with: file) else {
      throw MalformedRequest("The path `\(shown(path))` of the `map` does not lead to a `null` in the variables.")
    }
  }

  /// What a client has sent, within a sentence.
  private static func shown(_ text: String) -> Substring { text.prefix(100) }
}

extension InputValue {
  /// Whether there is a `null` at the place, which is now `value`.
  fileprivate mutating func replaceNull(at path: ArraySlice<Substring>, with value: InputValue) -> Bool {
    guard let step = path.first else {
      guard isNull else { return false }
      self = value
      return true
    }
    switch self {
    case .object(var fields):
      guard let place = fields.firstIndex(where: { $0.name == step }) else { return false }
      var inner = fields[place].value
      guard inner.replaceNull(at: path.dropFirst(), with: value) else { return false }
      fields[place] = InputField(name: fields[place].name, value: inner)
      self = .object(fields)
      return true
    case .list(var items):
      guard let place = Int(step), items.indices.contains(place),
        items[place].replaceNull(at: path.dropFirst(), with: value)
      else { return false }
      self = .list(items)
      return true
    default: return false
    }
  }
}
