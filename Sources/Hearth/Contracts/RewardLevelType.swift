import GraphQL
import Storage

/// The columns of a level. Levels have no keys, because they are part of their contract.
enum RewardLevelColumn: Int, StoredColumns {
  case level, points, award, reached, redeemedAt, redeemedBy, handedOutAt, handedOutBy

  var column: StoredType.Column {
    switch self {
    case .level: .integer("level")
    case .points: .integer("points")
    case .award: .text("award")
    case .reached: .boolean("threshold")
    case .redeemedAt: .dateTime("redeemed_at")
    case .redeemedBy: .key("redeemed_by")
    case .handedOutAt: .dateTime("handed_out_at")
    case .handedOutBy: .key("handed_out_by")
    }
  }
}

enum RewardLevelType {
  typealias LevelsParameters = (contracts: [Int64], family: GlobalID)
  typealias HighestParameters = (family: GlobalID, contract: Int64, points: Int64)

  /// The columns that a statement reads: each case has those of the ones before.
  enum Parts: Int, CaseIterable {
    /// Enough for most documents.
    case awards
    case levels
    /// Whether rewards were redeemed or handed out, too.
    case redemptions

    /// The columns of a level as `r`.
    fileprivate var columns: String {
      switch self {
      case .awards: "r.points, r.award"
      case .levels: "\(Parts.awards.columns), r.level, r.threshold"
      case .redemptions: "\(Parts.levels.columns), r.redeemed_at, r.redeemed_by, r.handed_out_at, r.handed_out_by"
      }
    }

    fileprivate init(_ columns: UInt64) {
      self = columns & redemption != 0 ? .redemptions : columns & beyondAwards != 0 ? .levels : .awards
    }
  }

  private static let beyondAwards = ~(RewardLevelColumn.points.mask | RewardLevelColumn.award.mask)
  private static let redemption = RewardLevelColumn.allCases
    .filter { $0.rawValue >= RewardLevelColumn.redeemedAt.rawValue }.reduce(0) { $0 | $1.mask }

  static let ofContracts: [SQL<LevelsParameters>] = Parts.allCases.map { SQL(ofContracts($0)) }
  static let highestReached: [SQL<HighestParameters>] = Parts.allCases.map { SQL(highestReached($0)) }

  private static func ofContracts(_ parts: Parts) -> SQLFragment<LevelsParameters> {
    """
    SELECT k.slot, \(sql: parts.columns) FROM \(table: \.contracts) AS k \
    \(join: .asWritten) \(rows: .rewardLevel, of: \.family) AS r ON r.contract_id = k.value\(order: "k.slot, r.level")
    """
  }

  private static func highestReached(_ parts: Parts) -> SQLFragment<HighestParameters> {
    """
    SELECT 0, \(sql: parts.columns) FROM \(rows: .rewardLevel, of: \.family) AS r \
    WHERE contract_id = \(\.contract) AND threshold <= \(\.points) ORDER BY level DESC LIMIT 1
    """
  }

  static let binding = ObjectBinding(
    columns: RewardLevelColumn.allCases.map(\.column.format),
    fields: [
      "level": .stored(RewardLevelColumn.level),
      "points": .stored(RewardLevelColumn.points),
      "reward": .stored(RewardLevelColumn.award),
      "award": .stored(RewardLevelColumn.award),
      "reached": .stored(RewardLevelColumn.reached),
      "redeemedAt": .stored(RewardLevelColumn.redeemedAt),
      "redeemedBy": .reference(RewardLevelColumn.redeemedBy),
      "handedOutAt": .stored(RewardLevelColumn.handedOutAt),
      "handedOutBy": .reference(RewardLevelColumn.handedOutBy),
    ]
  )

  static func ofContracts(_ batch: inout Batch, points: Int, in context: RequestContext) throws {
    guard let family = context.family else { return }
    let rows = batch.rows(of: batch.resultType)
    let parts = Parts(rows.columns)
    try context.reader.forEachRow(of: ofContracts[parts.rawValue], (contracts: batch.keys, family: family)) { row in
      let parent = Int(row.int64(0))
      add(
        row,
        to: parent,
        reachedWith: batch.int(parent, column: points) ?? 0,
        parts: parts,
        rows: rows,
        batch: &batch
      )
    }
  }

  /// For parents whose columns contain a contract and points.
  static func highestReached(
    _ batch: inout Batch,
    contract: Int,
    points: Int,
    in context: RequestContext
  ) throws {
    guard let family = context.family else { return }
    let rows = batch.rows(of: batch.resultType)
    let parts = Parts(rows.columns)
    for parent in 0..<batch.count {
      guard let contract = batch.int(parent, column: contract) else { continue }
      let gained = batch.int(parent, column: points) ?? 0
      try context.reader.forEachRow(
        of: highestReached[parts.rawValue],
        (family: family, contract: contract, points: gained)
      ) { row in add(row, to: parent, reachedWith: gained, parts: parts, rows: rows, batch: &batch) }
    }
  }

  private static func add(
    _ row: Row,
    to parent: Int,
    reachedWith points: Int64,
    parts: Parts,
    rows: RowLoading,
    batch: inout Batch
  ) {
    let rowIndex = rows.addUnkeyed()
    rows.set(rowIndex, column: RewardLevelColumn.points.rawValue, int: row.int64(1))
    rows.set(rowIndex, column: RewardLevelColumn.award.rawValue, text: row.text(2))
    if parts != .awards {
      rows.set(rowIndex, column: RewardLevelColumn.level.rawValue, int: row.int64(3))
      rows.set(rowIndex, column: RewardLevelColumn.reached.rawValue, int: row.int64(4) <= points ? 1 : 0)
    }
    if parts == .redemptions {
      let first = RewardLevelColumn.redeemedAt.rawValue
      for offset in 0..<4 {
        // The columns of the statement begin with the parent's index.
        if let value = row.optionalInt64(offset + 5) { rows.set(rowIndex, column: first + offset, int: value) }
      }
    }
    batch.add(parent, row: rowIndex, of: batch.resultType)
  }
}

extension RewardLevelColumn {
  fileprivate var mask: UInt64 { 1 << UInt64(rawValue) }
}
