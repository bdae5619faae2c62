import GraphQL
import Storage

enum MakeContract {
  static let maximumPoints: Int64 = 1_000_000
  static let maximumLevels = 20

  static let endCurrent = SQL(
    "UPDATE contract SET active = 0 WHERE family_id = ?1 AND active = 1 AND child_id = ?2"
  )
  static let insert = SQL(
    """
    INSERT INTO contract (family_id, child_id, id, description, max_points, active, created_at) \
    VALUES (?1, ?2, ?3, ?4, ?5, 1, ?6)
    """
  )
  static let insertLevel = SQL(
    """
    INSERT INTO reward_level (family_id, contract_id, level, points, threshold, award) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
    """
  )
  static let begin = SQL("UPDATE child SET contract_id = ?3, points = 0 WHERE family_id = ?1 AND id = ?2")

  private struct Level: Sendable {
    let points: Int64
    let award: String
  }

  private struct NewContract: Sendable {
    let description: String?
    let maxPoints: Int64
    let levels: [Level]
  }

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    var form = InputForm(arguments["input"], at: ["input"])
    let child = context.services.cipher.key(of: form["childId"]?.string ?? "")
    let description = form.lines("description", "A description")
    let maxPoints = form.integer("maxPoints", "The points of a contract", in: 1...maximumPoints)
    let levels = levels(&form, maxPoints: maxPoints)
    let contract = NewContract(description: description, maxPoints: maxPoints ?? 1, levels: levels)
    let refused = form.errors
    let now = context.now
    let key = try await context.write { transaction in
      try make(contract, with: child, by: viewer, refused: refused, at: now, transaction)
    }
    return Payload(["contract": [key]])
  }

  private static func levels(_ form: inout InputForm, maxPoints: Int64?) -> [Level] {
    let given = form["levels"]?.list ?? []
    if given.count > maximumLevels {
      form.refuse("levels", code: .tooLong, "A contract can have \(maximumLevels) levels at most.")
    }
    var levels: [Level] = []
    for (place, value) in given.prefix(maximumLevels).enumerated() {
      let points = value["points"]?.int ?? 0
      if points < 1 || points > maxPoints ?? maximumPoints {
        form.refuse(
          "levels",
          String(place),
          "points",
          code: .outOfRange,
          "A level's points must be from 1 to the contract's points."
        )
      }
      var level = InputForm(value, at: form.path("levels", String(place)))
      let award = level.line("award", "An award")
      form.refuse(level.errors)
      levels.append(Level(points: points, award: award ?? ""))
    }
    if let maxPoints, levels.allSatisfy({ (1...maxPoints).contains($0.points) }),
      levels.reduce(0, { $0 + $1.points }) > maxPoints
    {
      form.refuse("levels", code: .outOfRange, "All levels' points together must be at most the contract's points.")
    }
    return levels
  }

  private static func make(
    _ contract: NewContract,
    with child: GlobalID?,
    by viewer: Viewer,
    refused: [UserError],
    at now: Int64,
    _ transaction: WriteTransaction
  ) throws -> GlobalID {
    let family = viewer.family.rawValue
    guard try ChildRow.exists(child, in: viewer.family, transaction), let child else {
      throw Refused([ChildRow.notFound(["input", "childId"])] + refused)
    }
    guard refused.isEmpty else { throw Refused(refused) }
    let key = try KeySequence.next(.contract, transaction)
    try transaction.run(endCurrent, family, child.rawValue)
    let inserting = try transaction.statement(insert)
    try inserting.bind(1, family)
    try inserting.bind(2, child.rawValue)
    try inserting.bind(3, key.rawValue)
    try inserting.bind(4, contract.description)
    try inserting.bind(5, contract.maxPoints)
    try inserting.bind(6, now)
    try inserting.run()
    var threshold: Int64 = 0
    for (place, level) in contract.levels.enumerated() {
      threshold += level.points
      let statement = try transaction.statement(insertLevel)
      try statement.bind(1, family)
      try statement.bind(2, key.rawValue)
      try statement.bind(3, Int64(place + 1))
      try statement.bind(4, level.points)
      try statement.bind(5, threshold)
      try statement.bind(6, level.award)
      try statement.run()
    }
    try transaction.run(begin, family, child.rawValue, key.rawValue)
    try FamilyEvent.record(.contractChanged, key, of: viewer.family, at: now, transaction)
    try FamilyEvent.record(.childChanged, child, of: viewer.family, at: now, transaction)
    return key
  }
}
