import GraphQL

/// A query whose response can be sent again, while it waits.
struct ReusableQuery {
  let operation: PreparedOperation
  /// As `prepareReuse` returned them.
  let audiences: ResponseAudiences
  let key: [UInt8]
}
