/// Why a field has no value, as the client is told.
struct FieldFailure {
  let message: String
  let code: ErrorCode
  var place = FailurePlace.field
  var retryAfter: Int64?
}

extension FieldFailure {
  init(_ error: FieldError) {
    self.init(message: error.message, code: error.code, retryAfter: error.retryAfter)
  }
}

/// What of a field an error's locations are those of.
enum FailurePlace {
  /// Every node that asks for it.
  case field
  /// The first of them, whose arguments count.
  case firstNode
  /// The value of an argument of the first.
  case argument(String)

  /// Where that is for a field that one node asks for.
  func location(in document: Document, of node: NodeIndex) -> SourceLocation {
    if case .argument(let name) = self,
      let argument = document.children(of: node, .argument).first(where: { document.name($0) == name }),
      let value = document.value(of: argument)
    {
      return document.location(value)
    }
    return document.location(node)
  }
}
