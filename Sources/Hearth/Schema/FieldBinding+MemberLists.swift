import GraphQL
import Storage

/// What members see of themselves, and parents also of their family's children: sessions and devices.
extension FieldBinding {
  /// Objects of the viewer. Only the viewer's own account is ever loaded.
  ///
  /// - Parameter statement: returns their keys in the order of the list.
  static func ofAccount(_ statement: SQL<(member: GlobalID, now: Timestamp)>) -> FieldBinding {
    .objects { batch, context in
      guard let viewer = context.member else { return }
      let keys = try context.reader.numbers(of: statement, (member: viewer, now: Timestamp(context.now)))
      for index in 0..<batch.count { for key in keys { batch.add(index, key: key) } }
    }
  }

  /// Objects of each child, newest first. Null for siblings of an authenticated child.
  ///
  /// - Parameter statement: returns the index of a child and the key of an object in each row.
  static func ofChildren(
    _ statement: SQL<(children: [Int64], family: GlobalID, now: Timestamp)>
  ) -> FieldBinding {
    .objects { batch, context in
      guard let viewer = context.member, let family = context.family else { return }
      let children = batch.keys
      let visible = children.indices.filter { viewer.kind != .child || children[$0] == viewer.rawValue }
      var objects: [[Int64]] = Array(repeating: [], count: visible.count)
      try context.reader.forEachRow(
        of: statement,
        (children: visible.map { children[$0] }, family: family, now: Timestamp(context.now))
      ) { row in objects[Int(row.int64(0))].append(row.int64(1)) }
      for (index, keys) in zip(visible, objects) { for key in keys.sorted(by: >) { batch.add(index, key: key) } }
      guard viewer.kind == .child else { return }
      for index in children.indices where !visible.contains(index) { batch.add(index, resolved: .null) }
    }
  }
}
