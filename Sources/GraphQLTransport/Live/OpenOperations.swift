import GraphQL

/// An open operation of a WebSocket.
struct OpenOperation<Service: GraphQLService> {
  let sink: SocketOperation<Service>
  /// Nil for queries and mutations, and until the type of the operation is known.
  var subscription: Subscription?
  var task: Task<Void, Never>?
  /// Not nil until the outcome is known.
  var pending: PendingRequest<Service>?
  /// The response of a query that is delivered in parts.
  var parts: ResponseParts?
}

/// The open operations of a WebSocket by their ids: a list, because most sockets have one, for which a dictionary takes
/// 112 bytes more. A socket has at most `LiveOptions.maximumOperations`.
struct OpenOperations<Service: GraphQLService> {
  private(set) var all: [OpenOperation<Service>] = []

  /// Changes an operation that is open, and only that.
  subscript(id: String) -> OpenOperation<Service>? {
    get { index(of: id).map { all[$0] } }
    set {
      if let newValue, let index = index(of: id) { all[index] = newValue }
    }
  }

  /// Adds an operation, whose id no other one has.
  mutating func add(_ operation: OpenOperation<Service>) { all.append(operation) }

  @discardableResult
  mutating func remove(_ id: String) -> OpenOperation<Service>? { index(of: id).map { all.remove(at: $0) } }

  func contains(_ id: String) -> Bool { index(of: id) != nil }

  /// Swift's `==` also equates ids of different bytes, such as `é` as one scalar and as two.
  private func index(of id: String) -> Int? { all.firstIndex { $0.sink.id.utf8.elementsEqual(id.utf8) } }
}
