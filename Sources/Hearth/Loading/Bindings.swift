import GraphQL

/// Returns the `RequestContext` that `HearthService` created for the request, and that the engine passes to every
/// resolver.
func request(_ context: any ExecutionContext) -> RequestContext {
  unsafeDowncast(context, to: RequestContext.self)
}

extension FieldBinding {
  static func stored(_ column: some StoredColumns) -> FieldBinding { .column(column.rawValue) }

  static func reference(_ column: some StoredColumns) -> FieldBinding { .reference(column: column.rawValue) }

  /// Objects for all parents of a batch, which avoids N+1 queries.
  static func objects<Columns: StoredColumns>(
    needs: [Columns],
    _ load: @escaping @Sendable (inout Batch, RequestContext) throws -> Void
  ) -> FieldBinding {
    .load(needs: needs.map(\.rawValue)) { batch, context in try load(&batch, request(context)) }
  }

  /// Objects for all parents of a batch. Requires no columns of the parents but their keys.
  static func objects(_ load: @escaping @Sendable (inout Batch, RequestContext) throws -> Void) -> FieldBinding {
    .load(needs: []) { batch, context in try load(&batch, request(context)) }
  }

  /// - Parameter dependsOnSession: Whether the value is another one for other sessions of the member.
  static func computed<Columns: StoredColumns>(
    needs: [Columns],
    dependsOnSession: Bool = false,
    _ make: @escaping @Sendable (ObjectView, RequestContext) throws -> LeafValue
  ) -> FieldBinding {
    .leaf(needs: needs.map(\.rawValue), dependsOnCaller: dependsOnSession) { view in
      try make(view, request(view.context))
    }
  }

  /// A leaf field of an object that is a Swift value.
  static func property<Value: Sendable>(
    _ make: @escaping @Sendable (Value) -> LeafValue
  ) -> FieldBinding {
    .leaf(needs: []) { view in view.value(as: Value.self).map(make) ?? .null }
  }

  /// Objects that a Swift value refers to by their keys.
  static func keys<Value: Sendable>(_ make: @escaping @Sendable (Value) -> [GlobalID]) -> FieldBinding {
    .load(needs: []) { batch, context in
      for parent in 0..<batch.count {
        guard let value = batch.view(parent, in: context).value(as: Value.self) else { continue }
        for key in make(value) { batch.add(parent, key: key.rawValue) }
      }
    }
  }

  /// Objects of a Swift value that are Swift values too.
  static func values<Value: Sendable>(_ make: @escaping @Sendable (Value) -> [any Sendable]) -> FieldBinding {
    .load(needs: []) { batch, context in
      for parent in 0..<batch.count {
        guard let value = batch.view(parent, in: context).value(as: Value.self) else { continue }
        for object in make(value) { batch.add(parent, value: object, of: batch.resultType) }
      }
    }
  }
}

extension LeafValue {
  init(_ text: String?) { self = text.map(LeafValue.string) ?? .null }
  init(_ number: Int64?) { self = number.map(LeafValue.int) ?? .null }
}
