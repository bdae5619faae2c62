/// How a field of an object type gets its value.
package enum FieldBinding: Sendable {
  /// A leaf that lies in the object's row.
  case column(Int)
  /// A leaf made from the object: cheap, and without any waiting. `needs` are the columns that it reads.
  case leaf(needs: [Int], @Sendable (ObjectView) throws -> LeafValue)
  /// One object, by the key that a column of the row holds; null where the column is.
  case reference(column: Int)
  /// Objects for all parents of a level at once.
  case load(needs: [Int], @Sendable (inout Batch, any ExecutionContext) throws -> Void)
  /// The same, where it takes waiting: a write, work off the loop. Every root field of a mutation is one.
  case asyncLoad(needs: [Int], @Sendable (inout Batch, any ExecutionContext) async throws -> Void)
  /// A leaf that takes waiting.
  case asyncLeaf(needs: [Int], @Sendable (ObjectView, any ExecutionContext) async throws -> LeafValue)
  /// Leaves of all objects of a level at once. The closure reads the objects and returns the work that waits, which
  /// runs at the same time as that of other fields of the level.
  case asyncLeaves(needs: [Int], @Sendable ([ObjectView], any ExecutionContext) throws -> DeferredResults<LeafValue>)
  /// Objects for all parents of a level at once. The closure reads the parents and returns the work that waits, which
  /// runs at the same time as that of other fields of the level. A parent whose result is nil has an empty list, or
  /// null where the field is no list.
  case asyncObjects(
    needs: [Int],
    @Sendable (borrowing Batch, any ExecutionContext) throws -> DeferredResults<ResolvedValue?>
  )

  var needs: [Int] {
    switch self {
    case .column(let column), .reference(let column): [column]
    case .leaf(let needs, _), .load(let needs, _), .asyncLoad(let needs, _), .asyncLeaf(let needs, _),
      .asyncLeaves(let needs, _), .asyncObjects(let needs, _):
      needs
    }
  }
}

/// Work that waits and has no access to the execution: a result for each object, in the order of the objects.
package typealias DeferredResults<Value: Sendable> = @Sendable () async throws -> [Result<Value, any Error>]

/// A leaf that a closure made. It is checked against the field's type when it is taken.
package enum LeafValue: Sendable {
  case null
  case int(Int64)
  case double(Double)
  case boolean(Bool)
  /// Strings, IDs, names of enum values, custom scalars.
  case string(String)
  case list([LeafValue])
}

/// How an object type's fields are bound, and what a row of it holds.
package struct ObjectBinding: Sendable {
  package var columns: [ColumnFormat]
  package var fields: [String: FieldBinding]
  /// For the root of subscriptions: where the events of each field come from. `fields` then say how the field is
  /// resolved from one of them, which is the value of the root object.
  package var sources: [String: SourceBinding]
  /// Loads the rows of these keys that the viewer may see into the type's table.
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

/// What a request carries through the engine to those who resolve its fields.
package protocol ExecutionContext: AnyObject {
  /// The object type that a key belongs to.
  func objectType(of key: Int64) -> TypeID?
  /// Called before anything awaits: whoever holds a snapshot open lets go of it.
  func willSuspend()
  /// What went wrong inside, for the log; the answer says only that something did.
  func report(_ error: any Error, at field: String)
  /// A position of an event as clients see it, and send it back to resume after it.
  func text(ofPosition position: Int64) -> String

  /// The error that the client receives in place of one that a resolver threw; nil where it must not see it.
  func fieldError(for error: any Error) -> FieldError?

  /// Whether the execution has used its part of the loop's time. The call that runs is then made again elsewhere, so
  /// that whatever it threw does not matter.
  var isOverdue: Bool { get set }
  /// The same, after a look at the clock: called once for many objects.
  func checkTime() -> Bool
  /// Whether what is read now has to be read where it is, whatever it takes: it is for a call that waits or for the
  /// source of a subscription, and not for the levels of an execution.
  var staysOnLoop: Bool { get set }
  /// Whether the execution starts off the loop, as those before it of the same caller took long.
  var startsOffLoop: Bool { get }
  /// Whether the execution is on a thread that may take its time.
  var isOffLoop: Bool { get }
  /// Runs `work` on a thread that may take its time, with a snapshot of its own, and returns when it is done. Throws
  /// where too much waits there already. The caller does not touch what `work` uses meanwhile.
  func runOffLoop(_ work: @escaping @Sendable () -> Void) async throws(FieldError)
}

extension ExecutionContext {
  package func text(ofPosition position: Int64) -> String { String(position) }
}

/// For contexts whose executions are never too long.
extension ExecutionContext {
  package func fieldError(for error: any Error) -> FieldError? { nil }
  package var isOverdue: Bool {
    get { false }
    set {}
  }
  package func checkTime() -> Bool { false }
  package var staysOnLoop: Bool {
    get { false }
    set {}
  }
  package var startsOffLoop: Bool { false }
  package var isOffLoop: Bool { false }
  package func runOffLoop(_ work: @escaping @Sendable () -> Void) async throws(FieldError) { work() }
}

/// An error that a field's resolver means the client to see.
package struct FieldError: Error, Sendable {
  package let message: String
  package let code: ErrorCode
  /// In how many seconds the same may be tried again, where that is what helps.
  package let retryAfter: Int64?
  package init(_ message: String, code: ErrorCode, retryAfter: Int64? = nil) {
    self.message = message
    self.code = code
    self.retryAfter = retryAfter
  }
}
