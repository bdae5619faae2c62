import Basics
import Testing

@testable import Hearth

/// Random members of families finish chores, give, correct and take back points, make contracts and redeem rewards, at
/// times two of them at once, and at times the same request several times with one idempotency key, as a client sends
/// it whose responses are lost. After each step what a parent sees must equal a model of the rules, in one of the two
/// orders, and at the end every balance must be the sum of its entries. A failure names the seed:
///
///     HEARTH_SIMULATION_SEED=7 swift test --filter PointsSimulation
///
/// With PostgreSQL databases the members use three servers, and the seed chooses at which each does or sees something.
/// `HEARTH_SIMULATION=whole` performs 20,000 actions.
@Suite("Points follow their rules, whatever a family does", .timeLimit(.minutes(60)))
struct PointsSimulation {
  private static let families = TestOptions.isSimulationWhole ? 40 : 2
  private static let steps = TestOptions.isSimulationWhole ? 350 : 120

  @Test(arguments: TestOptions.simulationSeeds)
  func `balances are the sums of the entries after any history`(seed: UInt64) async throws {
    try await TestServer.runSpread(configure: { $0.accessTokenLifetime = 86_400 }) { servers in
      let kinds = try await withThrowingTaskGroup(of: Set<String>.self) { group in
        for number in 0..<Self.families {
          group.addTask {
            var home = Home(try await SimulatedFamily(number, on: servers), seed: seed &* 1_000 &+ UInt64(number))
            for _ in 0..<Self.steps where !home.hasFailed { try await home.step() }
            return home.kinds
          }
        }
        return try await group.reduce(into: Set<String>()) { $0.formUnion($1) }
      }
      // Otherwise the histories would be too tame to show anything.
      #expect(kinds == ["CHORE", "CORRECTION", "CARRY_OVER", "CLOSING", "REDEMPTION"], "seed \(seed)")
      #expect(try PointLedgerCheck.faults(servers[0].reader()) == [], "seed \(seed)")
    }
  }

  private struct Home {
    typealias Deed = SimulatedFamily.Deed

    var family: SimulatedFamily
    private let seed: UInt64
    private var random: SeededGenerator
    private var model: PointsModel
    private(set) var hasFailed = false
    /// The kinds of entries so far.
    private(set) var kinds: Set<String> = []
    private var keyCount = 0
    /// Recent requests with a key, and their responses.
    private var answered: [(request: SimulatedFamily.KeyedRequest, body: [UInt8])] = []

    init(_ family: SimulatedFamily, seed: UInt64) {
      self.family = family
      self.seed = seed
      random = SeededGenerator(seed: seed)
      model = PointsModel(chores: family.chores.count)
    }

    /// Performs one action or two at once, and compares.
    mutating func step() async throws {
      if Int.random(in: 0..<3, using: &random) == 0 { return try await stepWithKey() }
      var deeds = [draw()]
      // Often the same again, as after a double tap.
      if Bool.random(using: &random) { deeds.append(Bool.random(using: &random) ? deeds[0] : draw()) }
      let (family, model, places) = (self.family, self.model, deeds.map { _ in drawPlace() })
      let granted = try await withThrowingTaskGroup(of: (Int, Bool).self) { group in
        for (index, deed) in deeds.enumerated() {
          group.addTask { (index, try await family.perform(deed, model, at: places[index])) }
        }
        return try await group.reduce(into: [Int: Bool]()) { $0[$1.0] = $1.1 }
      }
      let seen = try await self.family.look(at: drawPlace())
      var ways: [PointsModel] = []
      for order in deeds.count == 1 ? [[0]] : [[0, 1], [1, 0]] {
        var way = model
        let isConsistent = order.allSatisfy { index in way.perform(deeds[index]) == granted[index] }
        if isConsistent, way.lines == seen { ways.append(way) }
      }
      guard let way = ways.first else {
        hasFailed = true
        Issue.record("seed \(seed): \(deeds), granted \(granted), from \(model.lines) to \(seen)")
        return
      }
      self.model = way
      for entry in way.entries.joined() { kinds.insert(entry.kind) }
    }

    /// Sends one action twice at once with the same key, and an earlier one again. The action takes effect once, the
    /// earlier one not again, and all get the first response.
    private mutating func stepWithKey() async throws {
      keyCount += 1
      let deed = draw()
      let request = family.keyed(deed, "\(seed)-\(keyCount)", model)
      let earlier = answered.randomElement(using: &random)
      let places = (drawPlace(), drawPlace(), drawPlace())
      async let first = request.send(at: places.0)
      async let second = request.send(at: places.1)
      async let repeated = earlier?.request.send(at: places.2)
      let (one, other, again) = try await (first, second, repeated)
      let seen = try await family.look(at: drawPlace())
      var way = model
      let isConsistent =
        way.perform(deed) == one.isGranted && other.isGranted == one.isGranted && way.lines == seen
        && (one.body == other.body || !one.isGranted) && again?.body == earlier?.body
      guard isConsistent else {
        hasFailed = true
        Issue.record(
          """
          seed \(seed): twice \(deed), granted \(one.isGranted) and \(other.isGranted), again \
          \(earlier.map { "\($0.request.deed)" } ?? "nothing"), from \(model.lines) to \(seen)
          """
        )
        return
      }
      model = way
      for entry in way.entries.joined() { kinds.insert(entry.kind) }
      if one.isGranted { answered = (answered + [(request, one.body)]).suffix(20) }
    }

    private mutating func drawPlace() -> Int { Int.random(in: family.places, using: &random) }

    private mutating func draw() -> Deed {
      let adult = Int.random(in: PointsModel.adults, using: &random)
      let child = Int.random(in: PointsModel.children, using: &random)
      let anyone = Int.random(in: 0..<4, using: &random)
      let chore = Int.random(in: family.chores.indices, using: &random)
      let points = Int.random(in: 1...3, using: &random)
      let contract = model.contracts.indices.suffix(4).randomElement(using: &random)
      func deed(_ action: SimulatedFamily.Action, by one: Int, to other: Int = 2) -> Deed {
        Deed(action: action, one: one, other: other, chore: chore)
      }
      switch Int.random(in: 0..<24, using: &random) {
      case 0..<5: return deed(.finish, by: anyone)
      case 5: return deed(.reopen, by: anyone)
      case 6..<10: return deed(.approve(points == 3 ? nil : points), by: adult)
      case 10: return deed(.sendBack, by: adult)
      case 11..<14: return deed(.assign(points), by: adult, to: child)
      case 14: return deed(.correct(points), by: adult, to: anyone)
      case 15: return deed(.correct(-points), by: adult, to: anyone)
      case 16..<18:
        let shown = model.entries[anyone].indices.suffix(PointsModel.shownEntries)
        guard let entry = shown.last(where: { model.entries[anyone][$0].kind == "CHORE" }) else { break }
        return deed(.takeBack(entry: entry), by: adult, to: anyone)
      case 18: return deed(.makeContract(carryOver: model.current[child] != nil), by: adult, to: child)
      case 19:
        if points == 1 { return deed(.makeContract(carryOver: false), by: adult, to: child) }
        if points == 2, let contract { return deed(.endContract(contract), by: adult) }
        return deed(.assign(points), by: adult, to: child)
      case 20..<23: if let contract { return deed(.redeem(contract, level: points == 1 ? 2 : 1), by: anyone) }
      default: if let contract { return deed(.handOut(contract, level: points == 1 ? 2 : 1), by: adult) }
      }
      return deed(.finish, by: anyone)
    }
  }
}
