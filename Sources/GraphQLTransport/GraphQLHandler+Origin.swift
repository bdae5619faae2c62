import HTTP

/// Where requests come from.
extension GraphQLHandler {
  /// Inlined, because the caller of each request is made here.
  @inline(__always)
  func caller(of request: HTTPRequest) -> Caller {
    Caller(request, address: service.address(of: request), keepsRequest: Service.keepsRequest)
  }
}
