/// The rules of chores, points, contracts and rewards in a family with two adults (0 and 1) and two children (2 and 3).
/// Each function performs an action and returns whether it is allowed.
struct PointsModel {
  struct Entry: Equatable {
    let kind: String
    let points: Int
    var contract: Int?
    /// Of points for a chore: those that were not taken back.
    var remaining = 0
  }

  struct Contract: Equatable {
    let child: Int
    var points = 0
    var redeemed: Set<Int> = []
    var handedOut: Set<Int> = []
  }

  struct Chore: Equatable {
    var finishedBy: Int?
    var isDone = false
    var awaitsApproval = false
    var isApproved = false
    var approvedPoints: Int?
  }

  static let adults = 0..<2
  static let children = 2..<4
  static let maxPoints = 6
  /// The points at which each level of a contract is reached.
  static let thresholds = [1: 2, 2: 5]

  private(set) var entries: [[Entry]] = Array(repeating: [], count: 4)
  private(set) var earned = [0, 0, 0, 0]
  private(set) var contracts: [Contract] = []
  private(set) var current: [Int?] = [nil, nil, nil, nil]
  private(set) var chores: [Chore]

  init(chores count: Int) { chores = Array(repeating: Chore(), count: count) }

  func points(of member: Int) -> Int { entries[member].reduce(0) { $0 + $1.points } }

  private mutating func record(_ kind: String, _ points: Int, to member: Int) {
    let isChore = kind == "CHORE"
    entries[member].append(
      Entry(kind: kind, points: points, contract: current[member], remaining: isChore ? points : 0)
    )
    if ["CHORE", "CORRECTION"].contains(kind) { earned[member] += points }
    if kind != "CLOSING", kind != "REDEMPTION", let contract = current[member] { contracts[contract].points += points }
  }

  // MARK: Chores

  mutating func finish(_ member: Int, _ chore: Int) -> Bool {
    if chores[chore].isDone { return chores[chore].finishedBy == member }
    chores[chore] = Chore(finishedBy: member, isDone: true, awaitsApproval: Self.children.contains(member))
    return true
  }

  mutating func reopen(_ member: Int, _ chore: Int) -> Bool {
    let now = chores[chore]
    guard now.isDone else { return true }
    guard !now.isApproved else { return false }
    guard Self.adults.contains(member) || now.awaitsApproval && now.finishedBy == member else { return false }
    chores[chore] = Chore()
    return true
  }

  private func isUnanswered(_ chore: Chore, for adult: Int) -> Bool {
    guard chore.isDone, let member = chore.finishedBy, member != adult else { return false }
    return chore.awaitsApproval || !chore.isApproved && Self.adults.contains(member)
  }

  mutating func approve(_ adult: Int, _ chore: Int, points: Int?) -> Bool {
    guard isUnanswered(chores[chore], for: adult), let member = chores[chore].finishedBy else { return false }
    if let points { record("CHORE", points, to: member) }
    chores[chore].awaitsApproval = false
    chores[chore].isApproved = true
    chores[chore].approvedPoints = (chores[chore].approvedPoints ?? 0) + (points ?? 0)
    return true
  }

  mutating func sendBack(_ adult: Int, _ chore: Int) -> Bool {
    guard isUnanswered(chores[chore], for: adult) else { return false }
    chores[chore] = Chore()
    return true
  }

  mutating func assign(_ child: Int, _ chore: Int, points: Int) -> Bool {
    record("CHORE", points, to: child)
    if !chores[chore].isDone { chores[chore] = Chore(finishedBy: child, isDone: true) }
    chores[chore].approvedPoints = (chores[chore].approvedPoints ?? 0) + points
    // Another child still awaits approval.
    if chores[chore].awaitsApproval, chores[chore].finishedBy != child { return true }
    chores[chore].awaitsApproval = false
    chores[chore].isApproved = true
    return true
  }

  // MARK: Corrections

  mutating func correct(_ adult: Int, _ member: Int, points: Int) -> Bool {
    guard adult != member, self.points(of: member) + points >= 0 else { return false }
    record("CORRECTION", points, to: member)
    return true
  }

  mutating func takeBack(_ adult: Int, _ member: Int, entry: Int) -> Bool {
    let remaining = entries[member][entry].remaining
    guard adult != member, entries[member][entry].contract == current[member], remaining > 0,
      points(of: member) >= remaining
    else { return false }
    entries[member][entry].remaining = 0
    record("CORRECTION", -remaining, to: member)
    return true
  }

  // MARK: Contracts

  private mutating func close(_ child: Int) {
    let points = points(of: child)
    if points != 0 { record("CLOSING", -points, to: child) }
    current[child] = nil
  }

  mutating func makeContract(_ child: Int, carryOver: Bool) -> Bool {
    var surplus = 0
    if carryOver {
      guard let contract = current[child], contracts[contract].points >= Self.maxPoints else { return false }
      surplus = contracts[contract].points - Self.maxPoints
    }
    close(child)
    contracts.append(Contract(child: child))
    current[child] = contracts.count - 1
    if surplus > 0 { record("CARRY_OVER", surplus, to: child) }
    return true
  }

  mutating func endContract(_ contract: Int) -> Bool {
    let child = contracts[contract].child
    guard current[child] == contract else { return false }
    close(child)
    return true
  }

  mutating func redeem(_ member: Int, _ contract: Int, _ level: Int) -> Bool {
    let child = contracts[contract].child
    guard Self.adults.contains(member) || member == child else { return false }
    if contracts[contract].redeemed.contains(level) { return true }
    guard contracts[contract].points >= Self.thresholds[level] ?? .max else { return false }
    contracts[contract].redeemed.insert(level)
    record("REDEMPTION", 0, to: child)
    return true
  }

  mutating func handOut(_ adult: Int, _ contract: Int, _ level: Int) -> Bool {
    guard redeem(adult, contract, level) else { return false }
    contracts[contract].handedOut.insert(level)
    return true
  }

  // MARK: What a parent sees

  /// One line for each member, contract and chore.
  var lines: [String] {
    var lines: [String] = []
    for member in entries.indices {
      let shown = entries[member].suffix(Self.shownEntries).map { "\($0.kind) \($0.points)" }
      lines.append("\(member): \(points(of: member)) of \(earned[member]), \(shown)")
    }
    for child in Self.children {
      let own = contracts.indices.filter { contracts[$0].child == child }
      lines += own.suffix(Self.shownContracts).map { index in
        let contract = contracts[index]
        let levels = Self.thresholds.keys.sorted().map { level in
          "\(contract.points >= Self.thresholds[level] ?? .max) \(contract.redeemed.contains(level)) "
            + "\(contract.handedOut.contains(level))"
        }
        return "contract of \(child): \(contract.points) \(current[child] == index) \(levels)"
      }
    }
    lines += chores.map { chore in
      let who = chore.finishedBy.map(String.init) ?? "-"
      let points = chore.approvedPoints.map(String.init) ?? "-"
      return "\(chore.isDone) \(who) \(chore.awaitsApproval) \(points)"
    }
    return lines
  }

  static let shownEntries = 50
  static let shownContracts = 20
}
