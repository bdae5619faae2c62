/// Why a `multipart/form-data` body cannot be parsed.
package enum MultipartError: Error, Equatable, CustomStringConvertible {
  case noBoundary
  case wrongBoundary
  case unterminated
  case malformedHead

  package var description: String {
    switch self {
    case .noBoundary: "The Content-Type of a multipart body must have a boundary of 1 to 70 characters."
    case .wrongBoundary:
      "The body does not contain the boundary of its Content-Type, or the boundary is malformed."
    case .unterminated: "The body ends before its last boundary."
    case .malformedHead:
      "Each part must have a Content-Disposition of the form: form-data; name=\"…\". A quote in a name is %22."
    }
  }
}
