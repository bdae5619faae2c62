import GraphQL

extension RequestContext {
  /// Returns the viewer, or throws an error that says why the request is not authenticated.
  func requireViewer() throws(FieldError) -> Viewer {
    if let viewer { return viewer }
    throw (tokenFault ?? .missing).error
  }

  /// Returns the viewer's family, or throws such an error.
  func requireFamily() throws(FieldError) -> GlobalID {
    if let family { return family }
    throw (tokenFault ?? .missing).error
  }

  /// Returns the viewer if they are a parent.
  func requireParent() throws(FieldError) -> Viewer {
    let viewer = try requireViewer()
    guard !viewer.isChild else {
      throw FieldError("Only a parent may do this.", code: .forbidden)
    }
    return viewer
  }

  /// Throws if the request has an invalid token. For fields that do not require a token.
  func checkToken() throws(FieldError) {
    if unrecordedViewer == nil, let tokenFault { throw tokenFault.error }
  }
}

extension ErrorCode {
  static let forbidden = ErrorCode(rawValue: "FORBIDDEN")
}
