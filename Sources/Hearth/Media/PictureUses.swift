import Storage

/// Reference counts of pictures, maintained by triggers.
enum PictureUses {
  /// Every column that refers to a picture. The migration of a new one must create its triggers (`counted`), and the
  /// column must be listed here for the check of the data.
  static let columns: [(table: String, column: String)] = [
    ("person", "avatar"), ("child", "avatar"), ("chore", "image"), ("item", "photo"),
    ("person_group", "picture"),
  ]

  /// The triggers that a migration creates. They must never change, because they are part of existing databases.
  static func counted(by column: String, of table: String) -> String {
    """
    CREATE TRIGGER \(table)_\(column)_inserted AFTER INSERT ON \(table) WHEN new.\(column) IS NOT NULL BEGIN
      UPDATE picture SET uses = uses + 1 WHERE id = new.\(column);
    END;
    CREATE TRIGGER \(table)_\(column)_updated AFTER UPDATE OF \(column) ON \(table)
    WHEN old.\(column) IS NOT new.\(column) BEGIN
      UPDATE picture SET uses = uses - 1 WHERE id = old.\(column);
      UPDATE picture SET uses = uses + 1 WHERE id = new.\(column);
    END;
    CREATE TRIGGER \(table)_\(column)_deleted AFTER DELETE ON \(table) WHEN old.\(column) IS NOT NULL BEGIN
      UPDATE picture SET uses = uses - 1 WHERE id = old.\(column);
    END;
    """
  }

  static let pictures = SQL<Void>("SELECT id, hash, byte_count, uses FROM picture")
  /// The id of a picture for each reference to it.
  static let uses = SQL<Void>("\(sql: named.joined(separator: " UNION ALL "))")

  private static let named = columns.map { table, column in
    "SELECT \(column) FROM \(table) WHERE \(column) IS NOT NULL"
  }
}
