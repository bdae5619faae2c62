import GraphQL

/// What is asked for by its id. What was removed is not found by it, though its row is kept and history still shows it:
/// for such types a look-up has a statement of its own, which loads the row at once.
enum Lookup {
  /// Adds what the key names, where it may be seen; says whether there may be such a thing.
  static func add(_ key: GlobalID?, to batch: inout Batch, _ context: RequestContext) throws -> Bool {
    guard let key else { return false }
    switch key.kind {
    case .child: return try ChildType.present.add(key, to: &batch, context)
    case .chore: return try ChoreType.present.add(key, to: &batch, context)
    default:
      batch.add(0, key: key.rawValue)
      return true
    }
  }
}
