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
  /// A seedling of every plant of a name.
  static let sow: SQL<(name: String, distance: Int64)> = table.insert(
    [
      .setting(\.id, to: "p.id + \(\.distance)"),
      .setting(\.name, to: "p.name || '-seedling'"),
      .setting(\.height, to: "NULL"),
      .setting(\.isIndoors, to: "1"),
      .setting(\.seeds, to: "x''"),
    ],
    from: "plant AS p WHERE p.name = \(\.name)"
  )
  static let upsert = table.insert(then: "ON CONFLICT (id) DO UPDATE SET name = \(\.name)")
  static let overwrite = table.overwrite(matching: [\.id])
  static let nested = SQL<(plant: (name: String, height: Double), limit: Int64)>(
    "SELECT id FROM plant WHERE \(isTallerNamesake, of: \.plant) ORDER BY id LIMIT \(\.limit)"
  )
  private static var isTallerNamesake: SQLFragment<(name: String, height: Double)> {
    "name = \(\.name) AND height > \(\.height)"
  }
  static let update: PatchStatement<Plant, Int64> = table.update([\.name, \.height], where: "id = \(\.self)")
  static let updateAll: PatchStatement<Plant, Int64> = table.update(except: [\.id], where: "id = \(\.self)")

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

/// A row of a table whose keys the database assigns.
private struct Label: Sendable {
  enum Colour: Int64, NumberedCase {
    case green = 3
    case white = 5
  }

  var id: Int64 = 0
  var text: String
  var colour = Colour.green
  var plant: Int64?

  static let table = Table<Label>(
    "label",
    [
      Column(assigned: "id", \.id), Column("text", \.text), Column("colour", \.colour), Column("plant", \.plant),
    ]
  )
  static let insert = table.insert(then: "ON CONFLICT (text) DO UPDATE SET plant = excluded.plant RETURNING id")
  static let copy: SQL<String> = table.copy([.replacing(\.text, with: "text || \(\.self)")], where: "id = 1")
  static let white = SQL<Void>("SELECT id, text FROM label WHERE colour = \(Colour.white) ORDER BY id")

  init(_ text: String, _ colour: Colour = .green, plant: Int64? = nil) {
    (self.text, self.colour, self.plant) = (text, colour, plant)
  }
}

@Suite("Named parameters and declared tables")
struct NamedParametersTests {
  private func withPlants(
    _ body: @escaping @Sendable (WriteTransaction) throws -> Void
  ) async throws -> [Plant] {
    let plants = Migration(
      1,
      name: "plants",
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

  @Test func `an insert can update an existing row`() async throws {
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

  @Test func `rows are inserted from a query`() async throws {
    let plants = try await withPlants { transaction in
      try transaction.run(Plant.sow, (name: "fern", distance: 10))
      #expect(transaction.changedRows == 1)
    }
    #expect(plants.last == Plant(id: 11, name: "fern-seedling"))
  }

  @Test func `an insert with an existing key applies its ON CONFLICT clause`() async throws {
    let plants = try await withPlants { transaction in
      try transaction.run(Plant.upsert, Plant(id: 1, name: "moss", height: 9))
      try transaction.run(Plant.upsert, Plant(id: 3, name: "ivy", height: 2))
    }
    #expect(
      plants == [
        Plant(id: 1, name: "moss", height: 0.5, seeds: [1, 2]), Plant(id: 2, name: "fern-2", isIndoors: false),
        Plant(id: 3, name: "ivy", height: 2),
      ]
    )
  }

  @Test func `an overwritten row has all values of another except its key`() async throws {
    let plants = try await withPlants { transaction in
      try transaction.run(Plant.overwrite, Plant(id: 1, name: "moss", isIndoors: false))
      #expect(transaction.changedRows == 1)
    }
    #expect(plants == [Plant(id: 1, name: "moss", isIndoors: false), Plant(id: 2, name: "fern-2", isIndoors: false)])
  }

  @Test func `a fragment's parameters can be a part of a statement's`() async throws {
    #expect(Plant.nested.text == "SELECT id FROM plant WHERE name = ?1 AND height > ?2 ORDER BY id LIMIT ?3")
    _ = try await withPlants { transaction in
      for (height, expected) in [(0.4, [1]), (0.6, [])] as [(Double, [Int64])] {
        let parameters = (plant: (name: "fern", height: height), limit: 9 as Int64)
        let found = try transaction.reader.all(of: Plant.nested, parameters) { row in row.int64(0) }
        #expect(found == expected)
      }
    }
  }

  @Test(arguments: [
    (Patch<Double>.unchanged, 0.5 as Double?), (.set(2), 2), (.cleared, nil),
  ])
  func `a patch sets, clears or keeps a column`(patch: Patch<Double>, expected: Double?) async throws {
    let plants = try await withPlants { transaction in
      var changes = RowPatch<Plant>()
      changes.apply(patch, to: \.height)
      try transaction.run(Plant.update, patch: changes, parameters: 1)
      #expect(transaction.changedRows == 1)
    }
    #expect(plants.first == Plant(id: 1, name: "fern", height: expected, seeds: [1, 2]))
  }

  @Test func `a patch keeps a required column that has no new value`() async throws {
    let plants = try await withPlants { transaction in
      var changes = RowPatch<Plant>()
      changes.set(\.name, to: nil)
      try transaction.run(Plant.update, patch: changes, parameters: 1)
      changes.set(\.name, to: "moss")
      try transaction.run(Plant.update, patch: changes, parameters: 2)
    }
    #expect(plants.map(\.name) == ["fern", "moss"])
  }

  @Test func `a statement for all columns but some applies a patch of any other`() async throws {
    let plants = try await withPlants { transaction in
      var changes = RowPatch<Plant>()
      changes.set(\.isIndoors, to: false)
      changes.set(\.seeds, to: [9])
      try transaction.run(Plant.updateAll, patch: changes, parameters: 1)
    }
    #expect(Plant.updateAll.columns.map(\.name) == Plant.table.columns.map(\.name).filter { $0 != "id" })
    #expect(plants.first == Plant(id: 1, name: "fern", height: 0.5, isIndoors: false, seeds: [9]))
  }

  @Test func `changes are made in a row that is not stored yet`() {
    var changes = NewRow(Plant(id: 7, name: "fern", height: 2, isIndoors: false, seeds: [3]))
    changes.set(\.name, to: "moss")
    changes.set(\.isIndoors, to: nil)
    changes.apply(.cleared, to: \.height)
    #expect(changes.row == Plant(id: 7, name: "moss", height: nil, isIndoors: false, seeds: [3]))
  }

  private func withLabels<Value: Sendable>(
    _ body: @escaping @Sendable (WriteTransaction) throws -> Value
  ) async throws -> Value {
    let labels = Migration(
      1,
      name: "labels",
      sql: """
        CREATE TABLE label (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE, colour INTEGER NOT NULL, \
        plant INTEGER) STRICT
        """
    )
    let temporary = try TemporaryDatabase(migrations: [labels])
    let value = try await temporary.database.write(body)
    await temporary.database.close()
    return value
  }

  @Test func `the database assigns keys, and a clause follows the insert`() async throws {
    let keys = try await withLabels { transaction in
      try [Label("fern"), Label("moss"), Label("fern", plant: 7)].map { label in
        try transaction.reader.first(of: Label.insert, label) { row in row.int64(0) }
      }
    }
    #expect(keys == [1, 2, 1])
  }

  @Test func `a copy gets a key of its own`() async throws {
    let copies = try await withLabels { transaction in
      try transaction.run(Label.table.insert, Label("fern", .white))
      try transaction.run(Label.copy, " (2)")
      return try transaction.reader.all(of: Label.white, ()) { row in "\(row.int64(0)) \(row.string(1))" }
    }
    #expect(copies == ["1 fern", "2 fern (2)"])
  }

  @Test func `a case of an enumeration is a parameter and a constant by its number`() async throws {
    #expect(Label.white.text == "SELECT id, text FROM label WHERE colour = 5 ORDER BY id")
    let white = try await withLabels { transaction in
      for label in [Label("fern"), Label("moss", .white)] { try transaction.run(Label.table.insert, label) }
      return try transaction.reader.all(of: Label.white, ()) { row in row.string(1) }
    }
    #expect(white == ["moss"])
  }
}
