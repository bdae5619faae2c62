import Storage

/// Begins and ends contracts, and closes the child's points. No other code writes `contract.active` or, except for the
/// removal of a child, `child.contract_id`.
enum ContractTransition {
  static let endCurrent = SQL<ChildKey>(
    """
    UPDATE contract SET active = 0 WHERE family_id = \(\.family) AND active = 1 AND child_id = \(\.child)
    """
  )
  static let begin = SQL<(family: GlobalID, child: GlobalID, contract: GlobalID)>(
    """
    UPDATE child SET contract_id = \(\.contract) WHERE family_id = \(\.family) AND id = \(\.child)
    """
  )
  static let end = SQL<ContractKey>(
    "UPDATE contract SET active = 0 WHERE family_id = \(\.family) AND id = \(\.contract)"
  )
  static let release = SQL<ChildKey>(
    "UPDATE child SET contract_id = NULL WHERE family_id = \(\.family) AND id = \(\.child)"
  )

  /// Replaces the child's current contract by a new one with its levels, the lowest first. Returns the replaced one;
  /// nil if there was none.
  ///
  /// - Parameter points: points of the current contract that count for the new one.
  static func begin(
    _ contract: Contract,
    levels: [(points: Int64, award: String)],
    carrying points: Int64 = 0,
    by parent: GlobalID?,
    in write: FamilyWrite
  ) throws -> GlobalID? {
    let replaced = try closePoints(of: contract.child, by: parent, in: write)
    try write.transaction.run(endCurrent, (family: contract.family, child: contract.child))
    try write.transaction.run(Contract.table.insert, contract)
    var threshold: Int64 = 0
    for (index, (ownPoints, award)) in levels.enumerated() {
      threshold += ownPoints
      let level = RewardLevel(
        family: contract.family,
        contract: contract.id,
        level: Int64(index + 1),
        points: ownPoints,
        threshold: threshold,
        award: award
      )
      try write.transaction.run(RewardLevel.table.insert, level)
    }
    try write.transaction.run(begin, (family: contract.family, child: contract.child, contract: contract.id))
    guard points > 0 else { return replaced }
    let carried = PointEntry(
      family: contract.family,
      member: contract.child,
      points: points,
      kind: .carryOver,
      author: parent,
      contract: contract.id,
      createdAt: contract.createdAt
    )
    try PointLedger.record(carried, in: write.transaction)
    return replaced
  }

  /// Ends the active contract of a child without a new one.
  static func end(_ contract: GlobalID, of child: GlobalID, by parent: GlobalID, in write: FamilyWrite) throws {
    try closePoints(of: child, by: parent, in: write)
    try write.transaction.run(end, (family: write.family, contract: contract))
    try write.transaction.run(release, (family: write.family, child: child))
  }

  /// Ends the contract of a child that is about to be removed, if it has one. The removal changes `contract_id`.
  static func endBeforeRemoval(of child: GlobalID, in write: FamilyWrite) throws {
    guard try PointLedger.standing(child, of: write.family, from: write.reader)?.contract != nil else { return }
    try closePoints(of: child, by: nil, in: write)
    try write.transaction.run(endCurrent, (family: write.family, child: child))
  }

  /// Lets the child's points start at 0 again. Returns the child's contract.
  @discardableResult private static func closePoints(
    of child: GlobalID,
    by parent: GlobalID?,
    in write: FamilyWrite
  ) throws -> GlobalID? {
    guard let standing = try PointLedger.standing(child, of: write.family, from: write.reader) else { return nil }
    guard standing.points != 0 else { return standing.contract }
    let closing = PointEntry(
      family: write.family,
      member: child,
      points: -standing.points,
      kind: .closing,
      author: parent,
      contract: standing.contract,
      createdAt: write.now
    )
    try PointLedger.record(closing, in: write.transaction)
    return standing.contract
  }
}
