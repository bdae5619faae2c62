import HTTP
import JSON

/// The format of a request's body.
enum RequestBody: Sendable {
  /// One request as JSON.
  case operation
  /// A list of requests as JSON.
  case list
  /// A request with files (`MultipartRequest`).
  case form(MediaType)

  func read(_ body: ArraySlice<UInt8>) throws(BadRequestError) -> RequestContent {
    switch self {
    case .operation: return .operation(try GraphQLRequest.read(json: body), files: [])
    case .list:
      do throws(JSONError) {
        return .list(try JSONDocument(body).root.elements.map { Array($0) } ?? [])
      } catch {
        throw BadRequestError("The body is not JSON: \(error.description)", isMalformedText: true)
      }
    case .form(let type):
      do {
        let content = try MultipartRequest(body, contentType: type)
        return .operation(content.request, files: content.files)
      } catch {
        // The form is the text of the request.
        throw BadRequestError(error.message, isMalformedText: true)
      }
    }
  }

  static func isList(_ body: ArraySlice<UInt8>) -> Bool {
    body.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "[")
  }
}

/// The content of a request's body.
enum RequestContent: Sendable {
  case operation(GraphQLRequest, files: [UploadedFile])
  case list([JSONValue])
}
