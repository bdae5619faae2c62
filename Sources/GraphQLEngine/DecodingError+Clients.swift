import GraphQL

extension DecodingError {
  /// The error of a resolver whose argument cannot be decoded. Clients see it if their value is at fault. If the Swift
  /// type is, because the schema allows values that it does not represent, the error is reported instead.
  func forClients(of field: DeclaredField) -> any Error {
    if isFaultOfType(in: field) {
      return UnsuitableValue(
        description: "\(message) The schema allows this value of \(field.coordinate), but the Swift type does not."
      )
    }
    return GraphQLError(message, code: ErrorCode.badUserInput.rawValue)
  }

  /// Says which argument cannot be decoded, and why.
  var message: String {
    let (context, missing): (DecodingError.Context, (any CodingKey)?) =
      switch self {
      case .keyNotFound(let key, let context): (context, key)
      case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context): (context, nil)
      @unknown default: (DecodingError.Context(codingPath: [], debugDescription: "\(self)"), nil)
      }
    let path = (context.codingPath + [missing].compactMap(\.self)).map(\.stringValue).joined(separator: ".")
    return missing == nil ? "Argument \"\(path)\": \(context.debugDescription)" : "Argument \"\(path)\" is missing."
  }

  private func isFaultOfType(in field: DeclaredField) -> Bool {
    switch self {
    case .keyNotFound(_, let context), .typeMismatch(_, let context): !field.isOpen(at: context.codingPath)
    // The schema states whether a value can be null, also that of a custom scalar, but not what is in it.
    case .valueNotFound(_, let context): !field.isOpen(at: context.codingPath.dropLast())
    // The values of an enum are those that the schema states.
    case .dataCorrupted(let context): field.isEnum(at: context.codingPath)
    @unknown default: false
    }
  }
}
