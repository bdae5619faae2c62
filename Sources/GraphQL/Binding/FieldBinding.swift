/// The resolver of a field: how the field gets its value.
package enum FieldBinding: Sendable {
  /// A leaf that is stored in a column of the object's row.
  case column(Int)
  /// A leaf that is computed from the object, cheaply and synchronously. `needs` lists the columns that the closure
  /// reads. `dependsOnCaller` states that the value can differ between callers of equal `SourceStream.visibility`.
  case leaf(needs: [Int], dependsOnCaller: Bool = false, @Sendable (ObjectView) throws -> LeafValue)
  /// One object, referenced by the key in a column of the row; null if the column is null.
  case reference(column: Int)
  /// Objects, resolved for all parents of a level in one call.
  case load(needs: [Int], @Sendable (inout Batch, any ExecutionContext) throws -> Void)
  /// The asynchronous form of `load`, for a write or for work off the event loop. Every root field of a mutation uses
  /// it.
  case asyncLoad(needs: [Int], @Sendable (inout Batch, any ExecutionContext) async throws -> Void)
  /// Leaves that are computed for all objects of a level in one call. The closure reads the objects and returns the
  /// asynchronous work, which runs concurrently with that of other fields of the level.
  case asyncLeaves(needs: [Int], @Sendable ([ObjectView], any ExecutionContext) throws -> DeferredResults<LeafValue>)
  /// Objects, resolved for all parents of a level in one call. The closure reads the parents and returns the
  /// asynchronous work, which runs concurrently with that of other fields of the level. A parent whose result is nil
  /// has an empty list, or null if the field is not a list.
  case asyncObjects(
    needs: [Int],
    @Sendable (borrowing Batch, any ExecutionContext) throws -> DeferredResults<ResolvedValue?>
  )

  var isAsync: Bool {
    switch self {
    case .asyncLoad, .asyncLeaves, .asyncObjects: true
    case .column, .leaf, .reference, .load: false
    }
  }

  var dependsOnCaller: Bool {
    if case .leaf(_, let dependsOnCaller, _) = self { dependsOnCaller } else { false }
  }

  var needs: [Int] {
    switch self {
    case .column(let column), .reference(let column): [column]
    case .leaf(let needs, _, _), .load(let needs, _), .asyncLoad(let needs, _), .asyncLeaves(let needs, _),
      .asyncObjects(let needs, _):
      needs
    }
  }
}

/// Asynchronous work without access to the execution. Returns one result for each object, in their order.
package typealias DeferredResults<Value: Sendable> = @Sendable () async throws -> [Result<Value, any Error>]

/// A leaf value returned by a resolver. Result coercion checks it against the field's type.
package enum LeafValue: Sendable {
  case null
  case int(Int64)
  case double(Double)
  case boolean(Bool)
  /// Strings, IDs, enum value names and custom scalars.
  case string(String)
  case list([LeafValue])
  /// A value of a custom scalar without a `ColumnFormat`. The members are in the order in which they are written.
  case object([(name: String, value: LeafValue)])
}

/// The resolvers of an object type's fields, and the columns of its rows.
package struct ObjectBinding: Sendable {
  package var columns: [ColumnFormat]
  package var fields: [String: FieldBinding]
  /// The event source of each field, for the subscription root operation type. `fields` then resolve from one event,
  /// which is the value of the root object.
  package var sources: [String: SourceBinding]
  /// Loads the rows with these keys into the type's table, leaving out rows that the viewer must not see.
  package var load: (@Sendable (_ keys: [Int64], _ rows: inout RowLoading, any ExecutionContext) throws -> Void)?

  package init(
    columns: [ColumnFormat] = [],
    fields: [String: FieldBinding],
    sources: [String: SourceBinding] = [:],
    load: (@Sendable (_ keys: [Int64], _ rows: inout RowLoading, any ExecutionContext) throws -> Void)? = nil
  ) {
    self.columns = columns
    self.fields = fields
    self.sources = sources
    self.load = load
  }
}

/// A field error whose message and code are sent to the client.
package struct FieldError: Error, Sendable {
  package let message: String
  package let code: ErrorCode
  /// The number of seconds after which a retry may succeed, if waiting helps.
  package let retryAfter: Int64?
  /// Further members of `extensions` as JSON, each after a comma.
  let extensionMembers: String

  package init(_ message: String, code: ErrorCode, retryAfter: Int64? = nil, extensionMembers: String = "") {
    self.message = message
    self.code = code
    self.retryAfter = retryAfter
    self.extensionMembers = extensionMembers
  }

  /// What a client receives instead of an error that is logged.
  package static let internalError = FieldError(GraphQLError.internalErrorMessage, code: .internalError)
}

extension GraphQLError {
  /// The error in a response. Without a location and a path, it is one of the request as a whole.
  package init(_ error: FieldError, at locations: [SourceLocation] = [], path: [PathSegment] = []) {
    self.init(
      error.message,
      at: locations,
      path: path,
      code: error.code,
      retryAfter: error.retryAfter,
      extensionMembers: error.extensionMembers
    )
  }
}
