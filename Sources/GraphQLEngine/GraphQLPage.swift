import GraphQL

/// The page of a list that a client requests by `first` and `after`, or backwards by `last` and `before`, as in the
/// Relay cursor connections specification.
public struct GraphQLPage: Hashable, Sendable {
  /// The maximum number of elements of the page; not negative.
  public let size: Int

  /// Whether the page ends before the cursor, or with the end of the list. Otherwise it begins after the cursor, or
  /// with the beginning of the list.
  public let isBackward: Bool

  /// The cursor as the client has sent it, in `after` or `before`; `nil` for the first or the last page.
  public let cursor: String?

  /// The number of elements to load: one more than the page has, which tells whether the list goes on.
  public var limit: Int { size == .max ? size : size + 1 }
}

extension FieldArguments {
  /// The page that the arguments `first`, `after`, `last` and `before` request.
  ///
  /// ```swift
  /// let page = try request.arguments.page(maximum: 100)
  /// ```
  ///
  /// A field can lack some of them, such as `last` and `before`. If it has neither `first` nor `last`, or both are
  /// `null`, the page has the maximum size. `last` overrides a default value of `first`, and any other value of `first`
  /// is an error beside `last`: the specification discourages both, because the result is confusing.
  ///
  /// - Parameter maximum: The maximum size of a page.
  /// - Throws: A `GraphQLError` with the code `BAD_USER_INPUT` when the size is negative or larger than `maximum`, and
  ///   when `last` is combined with `first` or `after`, or `before` with no `last`.
  public func page(maximum: Int) throws -> GraphQLPage {
    let (first, last) = (values["first"]?.int, values["last"]?.int)
    let (after, before) = (values["after"]?.string, values["before"]?.string)
    // The arguments do not show whether the client has sent the default value itself.
    let isDefault = first == field.arguments.first { $0.name == "first" }?.defaultValue?.int
    if last != nil, after != nil || (first != nil && !isDefault) {
      throw Self.error("`last` can only be combined with `before`, and `after` with `first`.")
    }
    if last == nil, before != nil { throw Self.error("`before` requires `last`.") }
    let size = last ?? first ?? Int64(maximum)
    guard size >= 0, size <= maximum else {
      throw Self.error("`\(last == nil ? "first" : "last")` is \(size), but must be from 0 to \(maximum).")
    }
    return GraphQLPage(size: Int(size), isBackward: last != nil, cursor: after ?? before)
  }

  private static func error(_ message: String) -> GraphQLError {
    GraphQLError(message, code: ErrorCode.badUserInput.rawValue)
  }
}
