import Foundation
import Storage

extension Seeder {
  static let unindexed = SQL(
    """
    SELECT p.id FROM person AS p WHERE p.id >= ?1 AND NOT EXISTS (SELECT 1 FROM search_entry AS e WHERE e.id = p.id) \
    UNION ALL SELECT g.id FROM person_group AS g WHERE g.id >= ?1 \
    AND NOT EXISTS (SELECT 1 FROM search_entry AS e WHERE e.id = g.id)
    """
  )
  static let index = SQL(
    "INSERT INTO search_entry (id, words) SELECT value ->> 0, value ->> 1 FROM json_each(?1)"
  )

  private struct Entry: Encodable {
    let key: GlobalID
    let words: String

    func encode(to encoder: any Encoder) throws {
      var values = encoder.unkeyedContainer()
      try values.encode(key.rawValue)
      try values.encode(words)
    }
  }

  /// Has the people and groups of keys from `first` on found by searches, all by one statement: FTS5 writes out what it
  /// has collected at each statement that could be undone by itself, and merges it again later.
  func indexSearch(from first: Int64 = 0) throws {
    var keys: [GlobalID] = []
    let finding = try transaction.statement(Self.unindexed)
    try finding.bind(1, first)
    try finding.forEachRow { row in keys.append(GlobalID(rawValue: row.int64(0))) }
    let entries = try keys.compactMap { key in
      try SearchIndex.words(of: key, transaction).map { words in Entry(key: key, words: words) }
    }
    let statement = try transaction.statement(Self.index)
    try statement.bind(1, String(decoding: try JSONEncoder().encode(entries), as: UTF8.self))
    try statement.run()
  }
}
