import Storage
import Testing

@Suite("keys(?)")
struct KeysTableTests {
  let temporary: TemporaryDatabase
  let reader: Reader

  init() throws {
    temporary = try TemporaryDatabase()
    reader = try temporary.database.makeReader()
  }

  func rows(_ keys: [Int64], _ sql: StatementText = .allKeys) throws -> [[Int64]] {
    var found: [[Int64]] = []
    let statement = try reader.statement(sql)
    try statement.bind(keys: keys, at: 1)
    try statement.forEachRow { row in found.append([row.int64(0), row.int64(1)]) }
    return found
  }

  @Test(arguments: [[], [7], [3, 1, 2], [5, 5, 5], [.min, 0, .max], Array(0..<10_000)] as [[Int64]])
  func `gives each key with its position, in the order of the array`(keys: [Int64]) throws {
    #expect(try rows(keys) == keys.enumerated().map { [$0.element, Int64($0.offset)] })
  }

  @Test func `accepts another array at each use of a statement`() throws {
    #expect(try rows([1, 2, 3]).count == 3)
    #expect(try rows([]).isEmpty)
    #expect(try rows([9]) == [[9, 0]])
  }

  @Test func `is empty when nothing, or something else, is bound`() throws {
    let statement = try reader.statement(.allKeys)
    #expect(try statement.first { row in row.int64(0) } == nil)
    try statement.bind(42 as Int64, at: 1)
    #expect(try statement.first { row in row.int64(0) } == nil)
  }

  @Test func `needs its argument`() throws {
    let error = #expect(throws: DatabaseError.self) { try reader.statement(StatementText("SELECT value FROM keys")) }
    #expect(error?.code == .misuse)
  }

  @Test func `joins as a loop over the array with a search in the other table`() async throws {
    try await temporary.database.write { transaction in
      for id in 1...100 as ClosedRange<Int64> { try transaction.insert(id) }
    }
    #expect(
      try reader.queryPlan(of: .entriesByKeys) == [
        "SCAN k VIRTUAL TABLE INDEX 0:", "SEARCH e USING INTEGER PRIMARY KEY (rowid=?)",
      ]
    )
    #expect(try rows([50, 1_000, 3, 50], .entriesByKeys) == [[50, 0], [3, 2], [50, 3]])
  }

  @Test func `is ordered by slot without a sort`() throws {
    #expect(try reader.queryPlan(of: .keysBySlot) == ["SCAN keys VIRTUAL TABLE INDEX 0:"])
    #expect(try rows([2, 1], .keysBySlot) == [[2, 0], [1, 1]])
    #expect(try rows([2, 1], .keysByFallingSlot) == [[1, 1], [2, 0]])
  }

  @Test func `can occur twice in one statement, with different arrays`() throws {
    let statement = try reader.statement(.twoArrays)
    try statement.bind(keys: [1, 2], at: 1)
    try statement.bind(keys: [10, 20], at: 2)
    var sums: [Int64] = []
    try statement.forEachRow { row in sums.append(row.int64(0)) }
    #expect(sums == [11, 21, 12, 22])
  }
}

extension StatementText {
  fileprivate static let allKeys = StatementText("SELECT value, slot FROM keys(?1)")
  fileprivate static let keysBySlot = StatementText("SELECT value, slot FROM keys(?1) ORDER BY slot")
  fileprivate static let keysByFallingSlot = StatementText("SELECT value, slot FROM keys(?1) ORDER BY slot DESC")
  fileprivate static let twoArrays = StatementText(
    "SELECT a.value + b.value FROM keys(?1) AS a CROSS JOIN keys(?2) AS b"
  )
  fileprivate static let entriesByKeys = StatementText(
    "SELECT e.id, k.slot FROM keys(?1) AS k CROSS JOIN entry AS e ON e.id = k.value"
  )
}
