import GraphQL
import Storage

/// The columns of a level. Levels have no keys, because they are part of their contract.
enum RewardLevelColumn: Int, StoredColumns {
  case level, points, award, reached

  var column: StoredType.Column {
    switch self {
    case .level: .integer("level")
    case .points: .integer("points")
    case .award: .text("award")
    case .reached: .boolean("threshold")
    }
  }
}

enum RewardLevelType {
  static let ofContracts = SQL<(contracts: [Int64], family: GlobalID)>(
    """
    SELECT k.slot, r.level, r.points, r.award, r.threshold FROM \(table: \.contracts) AS k \
    \(join: .asWritten) reward_level AS r ON r.family_id = \(\.family) AND r.contract_id = k.value
    """
  )
  /// A variant for documents that select only points and awards, as most do. It reads two columns less per level.
  static let awardsOfContracts = SQL<(contracts: [Int64], family: GlobalID)>(
    """
    SELECT k.slot, 0, r.points, r.award, 0 FROM \(table: \.contracts) AS k \
    \(join: .asWritten) reward_level AS r ON r.family_id = \(\.family) AND r.contract_id = k.value
    """
  )
  private static let beyondAwards: UInt64 =
    1 << UInt64(RewardLevelColumn.level.rawValue) | 1 << UInt64(RewardLevelColumn.reached.rawValue)
  static let highestReached = SQL<(family: GlobalID, contract: Int64, points: Int64)>(
    """
    SELECT 0, level, points, award, threshold FROM reward_level \
    WHERE family_id = \(\.family) AND contract_id = \(\.contract) AND threshold <= \(\.points) \
    ORDER BY level DESC LIMIT 1
    """
  )

  static let binding = ObjectBinding(
    columns: RewardLevelColumn.allCases.map(\.column.format),
    fields: [
      "level": .stored(RewardLevelColumn.level),
      "points": .stored(RewardLevelColumn.points),
      "reward": .stored(RewardLevelColumn.award),
      "award": .stored(RewardLevelColumn.award),
      "reached": .stored(RewardLevelColumn.reached),
    ]
  )

  static func ofContracts(_ batch: inout Batch, points: Int, _ context: RequestContext) throws {
    guard let viewer = context.viewer else { return }
    let rows = batch.rows(of: batch.resultType)
    let isBrief = rows.columns & beyondAwards == 0
    let statement = isBrief ? awardsOfContracts : ofContracts
    try context.reader.forEachRow(of: statement, (contracts: batch.keys, family: viewer.family)) { row in
      let slot = Int(row.int64(0))
      add(row, to: slot, reachedWith: batch.int(slot, column: points) ?? 0, rows, &batch)
    }
  }

  /// For parents whose columns contain a contract and points.
  static func highestReached(
    _ batch: inout Batch,
    contract: Int,
    points: Int,
    _ context: RequestContext
  ) throws {
    guard let viewer = context.viewer else { return }
    let rows = batch.rows(of: batch.resultType)
    for slot in 0..<batch.count {
      guard let contract = batch.int(slot, column: contract) else { continue }
      let gained = batch.int(slot, column: points) ?? 0
      try context.reader.forEachRow(
        of: highestReached,
        (family: viewer.family, contract: contract, points: gained)
      ) { row in add(row, to: slot, reachedWith: gained, rows, &batch) }
    }
  }

  private static func add(_ row: Row, to slot: Int, reachedWith points: Int64, _ rows: RowLoading, _ batch: inout Batch)
  {
    let rowIndex = rows.addUnkeyed()
    rows.set(rowIndex, column: RewardLevelColumn.level.rawValue, int: row.int64(1))
    rows.set(rowIndex, column: RewardLevelColumn.points.rawValue, int: row.int64(2))
    rows.set(rowIndex, column: RewardLevelColumn.award.rawValue, text: row.text(3))
    rows.set(rowIndex, column: RewardLevelColumn.reached.rawValue, int: row.int64(4) <= points ? 1 : 0)
    batch.add(slot, row: rowIndex, of: batch.resultType)
  }
}
