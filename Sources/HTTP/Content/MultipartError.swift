/// Why a `multipart/form-data` body cannot be taken apart.
package enum MultipartError: Error, Equatable, CustomStringConvertible {
  case noBoundary
  case wrongBoundary
  case unterminated
  case malformedHead

  package var description: String {
    switch self {
    case .noBoundary: "The Content-Type of a multipart body needs a boundary of 1 to 70 characters."
    case .wrongBoundary:
      "The body does not begin with the boundary that its Content-Type names, or goes on wrongly after it."
    case .unterminated: "The body ends before its last boundary."
    case .malformedHead: "A part needs a Content-Disposition of the form: form-data; name=\"…\"."
    }
  }
}
