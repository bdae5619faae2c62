import Foundation
import Storage

extension Seeder {
  static let unindexed = SQL<Int64>(
    """
    SELECT p.id FROM person AS p WHERE p.id >= \(\.self) AND NOT EXISTS (\
    SELECT 1 FROM search_entry AS e WHERE e.id = p.id) \
    UNION ALL SELECT g.id FROM person_group AS g WHERE g.id >= \(\.self) \
    AND NOT EXISTS (SELECT 1 FROM search_entry AS e WHERE e.id = g.id)
    """
  )
  /// - Parameter parameters: a JSON array of arrays.
  static let index: SQL<String> = SearchEntry.table.insert(
    [
      .setting(\.id, to: "CAST(value ->> 0 AS bigint)"), .setting(\.words, to: "value ->> 1"),
      .setting(\.version, to: "\(sql: String(SearchWords.version))"),
    ],
    from: "\(elementsOf: \.self)"
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

  /// Adds the people and groups with keys from `first` on to the search index, with a single statement. FTS5 flushes
  /// its pending terms after each statement that can be rolled back separately, and has to merge them later.
  func indexSearch(from first: Int64 = 0) throws {
    let keys = try transaction.reader.keys(of: Self.unindexed, first)
    let entries = try keys.compactMap { key in
      try SearchIndex.words(of: key, in: transaction).map { words in Entry(key: key, words: words) }
    }
    try transaction.run(Self.index, String(decoding: try JSONEncoder().encode(entries), as: UTF8.self))
  }
}
