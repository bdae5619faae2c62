/// An error of the application that clients see, as the `GraphQLError` that it states.
///
/// A type of errors states once what clients see of them, instead of each resolver that throws them:
///
/// ```swift
/// enum ShopError: GraphQLErrorConvertible {
///   case soldOut(left: Int)
///
///   var graphQLError: GraphQLError {
///     switch self {
///     case .soldOut(let left): GraphQLError("Only \(left) are left.", code: "SOLD_OUT")
///     }
///   }
/// }
/// ```
public protocol GraphQLErrorConvertible: Error {
  /// The error that clients receive.
  var graphQLError: GraphQLError { get }
}

extension GraphQLError: GraphQLErrorConvertible {
  /// The error itself.
  public var graphQLError: GraphQLError { self }

  /// Creates the error that clients receive for an error; `nil` if they must not see it.
  package init?(showing error: any Error) {
    guard let error = error as? any GraphQLErrorConvertible else { return nil }
    self = error.graphQLError
  }
}
