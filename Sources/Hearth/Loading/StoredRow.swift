import GraphQL
import Storage

/// Table rows that are exposed as GraphQL objects.
protocol StoredRow: Sendable {
  static var table: Table<Self> { get }
}

extension StoredRow {
  /// The index of a property's column in the stored type of the table.
  static func column(of property: PartialKeyPath<Self>) -> Int { table.index(of: property) }
}

extension FieldBinding {
  /// A field with the value of a column.
  static func stored<Row: StoredRow>(_ property: KeyPath<Row, some StoredValue>) -> FieldBinding {
    .column(Row.column(of: property))
  }

  /// A field with the object whose key is in a column.
  static func reference<Row: StoredRow>(_ property: KeyPath<Row, some StoredValue>) -> FieldBinding {
    .reference(column: Row.column(of: property))
  }

  /// Objects for all parents of a batch, from columns of their rows.
  static func objects<Row: StoredRow>(
    needs properties: [PartialKeyPath<Row>],
    _ load: @escaping @Sendable (inout Batch, RequestContext) throws -> Void
  ) -> FieldBinding {
    .load(needs: properties.map(Row.column(of:))) { batch, context in try load(&batch, request(context)) }
  }
}
