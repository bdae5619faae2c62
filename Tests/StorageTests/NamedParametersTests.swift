import Foundation
import Testing

@testable import Storage

/// A row of the table of these tests.
private struct Plant: Sendable, Equatable {
  var id: Int64
  var name: String
  var height: Double?
  var isIndoors = true
  var seeds: [UInt8] = []

  static let table = Table<Plant>(
    "plant",
    [
      Column("id", \.id),
      Column("name", \.name),
      Column("height", \.height),
      Column("indoors", \.isIndoors),
      Column("seeds", \.seeds),
    ]
  )
  static let all = SQL<Void>("SELECT id, name, height, indoors, seeds FROM plant ORDER BY id")
  static let byName = SQL<(name: String, limit: Int64)>(
    "SELECT id FROM plant WHERE name = \(\.name) OR name LIKE \(\.name) || '-%' ORDER BY id LIMIT \(\.limit)"
  )
  static let byIDs = SQL<(ids: [Int64], name: String)>(
    "SELECT k.slot FROM \(table: \.ids) AS k CROSS JOIN plant ON plant.id = k.value WHERE name = \(\.name)"
  )
  static let raise = table.insert(then: "ON CONFLICT (id) DO UPDATE SET height = \(\.height)")
  static let copy: SQL<(source: Int64, id: Int64)> = table.copy(
    [.replacing(\.id, with: "\(\.id)"), .replacing(\.isIndoors, with: "0")],
    where: "id = \(\.source)"
  )
  static let update: PatchStatement<Plant, Int64> = table.update([\.name, \.height], where: "id = \(\.self)")

  init(id: Int64, name: String, height: Double? = nil, isIndoors: Bool = true, seeds: [UInt8] = []) {
    (self.id, self.name, self.height, self.isIndoors, self.seeds) = (id, name, height, isIndoors, seeds)
  }

  init(_ row: Row) {
    self.init(
      id: row.int64(0),
      name: row.string(1),
      height: row.isNull(2) ? nil : row.double(2),
      isIndoors: row.bool(3),
      seeds: Array(row.blob(4))
    )
  }
}

@Suite("Named parameters and declared tables")
struct NamedParametersTests {
  private func withPlants(
    _ body: @escaping @Sendable (WriteTransaction) throws -> Void
  ) async throws -> [Plant] {
    let plants = Migration(
      1,
      "plants",
      sql: """
        CREATE TABLE plant (id INTEGER PRIMARY KEY, name TEXT NOT NULL, height REAL, indoors INTEGER NOT NULL, \
        seeds BLOB NOT NULL) STRICT
        """
    )
    let temporary = try TemporaryDatabase(migrations: [plants])
    let found = try await temporary.database.write { transaction in
      try transaction.run(Plant.table.insert, Plant(id: 1, name: "fern", height: 0.5, seeds: [1, 2]))
      try transaction.run(Plant.table.insert, Plant(id: 2, name: "fern-2", isIndoors: false))
      try body(transaction)
      return try transaction.reader.all(of: Plant.all, (), Plant.init)
    }
    await temporary.database.close()
    return found
  }

  @Test func `an insert has all columns of the declaration`() async throws {
    let plants = try await withPlants { _ in }
    #expect(
      plants == [
        Plant(id: 1, name: "fern", height: 0.5, seeds: [1, 2]), Plant(id: 2, name: "fern-2", isIndoors: false),
      ]
    )
  }

  @Test func `an insert can update the row that is there`() async throws {
    let plants = try await withPlants { transaction in
      try transaction.run(Plant.raise, Plant(id: 1, name: "moss", height: 2))
      try transaction.run(Plant.raise, Plant(id: 3, name: "moss", height: 2))
    }
    #expect(plants.map(\.name) == ["fern", "fern-2", "moss"])
    #expect(plants.map(\.height) == [2, nil, 2])
  }

  @Test func `a parameter has the number that it has in the text`() {
    #expect(Plant.byIDs.text.hasPrefix("SELECT k.slot FROM keys(?1)"))
    #expect(Plant.byIDs.number(ofKeys: \.ids) == 1)
    #expect(Plant.byIDs.number(of: \.name) == 2)
    #expect(SQL<(name: String, limit: Int64)>("SELECT \(\.limit)").number(of: \.name) == nil)
  }

  @Test func `a parameter that is named twice is one parameter`() async throws {
    #expect(Plant.byName.text.hasPrefix("SELECT id FROM plant WHERE name = ?1 OR name LIKE ?1 ||"))
    _ = try await withPlants { transaction in
      let found = try transaction.reader.all(of: Plant.byName, (name: "fern", limit: 5)) { row in row.int64(0) }
      #expect(found == [1, 2])
      #expect(try transaction.reader.hasRow(Plant.byName, (name: "fern", limit: 1)))
      #expect(try !transaction.reader.hasRow(Plant.byName, (name: "moss", limit: 1)))
    }
  }

  @Test func `a list of keys is a table`() async throws {
    _ = try await withPlants { transaction in
      let slots = try transaction.reader.all(of: Plant.byIDs, (ids: [9, 2, 1], name: "fern")) { row in row.int64(0) }
      #expect(slots == [2])
    }
  }

  @Test func `a copy has everything that is not replaced`() async throws {
    let plants = try await withPlants { transaction in try transaction.run(Plant.copy, (source: 1, id: 7)) }
    #expect(plants.last == Plant(id: 7, name: "fern", height: 0.5, isIndoors: false, seeds: [1, 2]))
  }

  @Test(arguments: [
    (Patch<Double>.unchanged, 0.5 as Double?), (.set(2), 2), (.cleared, nil),
  ])
  func `a patch sets, clears or keeps a column`(patch: Patch<Double>, expected: Double?) async throws {
    let plants = try await withPlants { transaction in
      var changes = RowPatch(of: Plant.table)
      changes.apply(patch, to: \.height)
      try transaction.run(Plant.update, changes, 1)
      #expect(transaction.changedRows == 1)
    }
    #expect(plants.first == Plant(id: 1, name: "fern", height: expected, seeds: [1, 2]))
  }

  @Test func `a patch keeps a required column that has no new value`() async throws {
    let plants = try await withPlants { transaction in
      var changes = RowPatch(of: Plant.table)
      changes.set(\.name, to: nil)
      try transaction.run(Plant.update, changes, 1)
      changes.set(\.name, to: "moss")
      try transaction.run(Plant.update, changes, 2)
    }
    #expect(plants.map(\.name) == ["fern", "moss"])
  }
}
