import GraphQL

/// A query whose response can be sent again, while it waits.
struct ReusableQuery {
  let operation: PreparedOperation
  /// As `beginReuse` returned it.
  let caller: ResponseAudiences
  let key: [UInt8]
}
