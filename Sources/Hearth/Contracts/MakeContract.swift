import GraphQL
import Storage

enum MakeContract {
  static let maximumPoints: Int64 = 1_000_000
  static let maximumLevels = 20

  static let surplusOfChild = SQL<ChildKey>(
    """
    SELECT k.points - k.max_points FROM child AS c \
    JOIN contract AS k ON k.family_id = c.family_id AND k.id = c.contract_id \
    WHERE c.family_id = \(\.family) AND c.id = \(\.child)
    """
  )

  private typealias Level = (points: Int64, award: String)

  private struct NewContract: Sendable {
    let description: String?
    let maxPoints: Int64
    let levels: [Level]
    let carriesOver: Bool
  }

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    var form = InputForm(arguments["input"], at: ["input"])
    let child = context.cipher.key(of: form["childId"])
    let description = form.lines("description", subject: "A description")
    let maxPoints = form.integer("maxPoints", subject: "The points of a contract", in: 1...maximumPoints)
    let levels = levels(&form, maxPoints: maxPoints)
    let contract = NewContract(
      description: description,
      maxPoints: maxPoints ?? 1,
      levels: levels,
      carriesOver: form["carryOver"]?.boolean == true
    )
    let inputErrors = form.errors
    let key = try await context.write(as: viewer) { write in
      try make(contract, with: child, by: viewer.member, inputErrors: inputErrors, in: write)
    }
    return Payload(["contract": [key]])
  }

  private static func levels(_ form: inout InputForm, maxPoints: Int64?) -> [Level] {
    let given = form["levels"]?.list ?? []
    if given.count > maximumLevels {
      form.reject("levels", code: .tooLong, message: "A contract can have at most \(maximum: maximumLevels) levels.")
    }
    var levels: [Level] = []
    for (index, value) in given.prefix(maximumLevels).enumerated() {
      let points = value["points"]?.int ?? 0
      if points < 1 || points > maxPoints ?? maximumPoints {
        form.reject(
          "levels",
          String(index),
          "points",
          code: .outOfRange,
          message: "A level's points must be from \(minimum: 1) to the contract's points."
        )
      }
      var level = InputForm(value, at: form.path("levels", String(index)))
      let name = value["reward"] == nil && value["award"] != nil ? "award" : "reward"
      let reward = level.line(name, subject: "A reward")
      form.reject(level.errors)
      levels.append((points, reward ?? ""))
    }
    if let maxPoints, levels.allSatisfy({ (1...maxPoints).contains($0.points) }),
      levels.reduce(0, { $0 + $1.points }) > maxPoints
    {
      form.reject(
        "levels",
        code: .outOfRange,
        message: "The points of all levels together must not exceed the contract's points."
      )
    }
    return levels
  }

  private static func make(
    _ contract: NewContract,
    with child: GlobalID?,
    by parent: GlobalID,
    inputErrors: [UserError],
    in write: FamilyWrite
  ) throws -> GlobalID {
    guard try Child.exists(child, of: write.family, from: write.reader), let child else {
      throw RejectedInput([Child.notFound(["input", "childId"])] + inputErrors)
    }
    guard inputErrors.isEmpty else { throw RejectedInput(inputErrors) }
    let key = try KeySequence.next(.contract, in: write.transaction)
    let row = Contract(
      family: write.family,
      child: child,
      id: key,
      description: contract.description,
      maxPoints: contract.maxPoints,
      createdAt: write.now
    )
    let carried = contract.carriesOver ? try surplus(child, of: write.family, from: write.reader) : 0
    let replaced = try ContractTransition.begin(row, levels: contract.levels, carrying: carried, by: parent, in: write)
    if let replaced {
      write.record(.contractChanged, subject: replaced)
    }
    write.record(.contractChanged, subject: key)
    write.record(.childChanged, subject: child)
    return key
  }

  /// The points of the child beyond those of its current contract, which must be fulfilled.
  private static func surplus(_ child: GlobalID, of family: GlobalID, from reader: Reader) throws -> Int64 {
    let surplus = try reader.number(of: surplusOfChild, (family: family, child: child))
    guard let surplus, surplus >= 0 else {
      throw RejectedInput(
        ["input", "carryOver"],
        code: .conflict,
        message: "The child has no contract that is fulfilled."
      )
    }
    return surplus
  }
}
