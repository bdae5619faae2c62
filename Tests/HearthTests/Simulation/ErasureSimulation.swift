import Basics
import Bytes
import Foundation
import TestSupport
import Testing

@testable import Hearth

/// The adults of a family delete their accounts and return, add, delete and restore children, at times two of them at
/// once, and days pass. After each step what the adult who stays sees must equal a model of the rules, and everybody
/// whose grace period is over must have been erased. At the end no table and no file has the names of the erased. A
/// failure names the seed:
///
///     HEARTH_SIMULATION_SEED=7 swift test --filter ErasureSimulation
///
/// With PostgreSQL databases the family uses three servers, and the seed chooses at which each does or sees something.
/// `HEARTH_SIMULATION=whole` performs 500 actions.
@Suite("Erasures follow their rules, whatever a family does", .timeLimit(.minutes(60)))
struct ErasureSimulation {
  private static let steps = TestOptions.isSimulationWhole ? 500 : 60

  @Test(arguments: TestOptions.simulationSeeds)
  func `deleted people return until they are erased, and then nothing of them is left`(seed: UInt64) async throws {
    let directory = try TemporaryDirectory()
    var erased: [String] = []
    try await TestServer.runSpread(
      in: directory,
      configure: { $0.accessTokenLifetime = 10 * 365 * 86_400 }
    ) { servers in
      var home = try await Home(on: servers, seed: seed)
      for _ in 0..<Self.steps where !home.hasFailed { try await home.step() }
      try await home.letPass(days: 31)
      erased = home.model.erased.map(\.name)
      // Otherwise the history would be too tame to show anything.
      #expect(home.model.adults.contains { $0.state == .erased } && home.model.returned > 1, "seed \(seed)")
      try await servers[0].erasures(become: Int64(erased.count))
      let faults = try PointLedgerCheck.faults(servers[0].reader())
      #expect(faults == [], "seed \(seed)")
      // The folders of other servers end with them.
      for server in servers.dropFirst() {
        let walk = try await DataWalk(of: server.directory.path, words: erased, keys: [])
        #expect(walk.locations == [], "seed \(seed)")
      }
    }
    let walk = try await DataWalk(of: directory.path, words: erased, keys: [])
    #expect(walk.locations == [], "seed \(seed)")
  }

  private struct Home {
    private enum Deed {
      case deleteAdult(Int), restoreAdult(Int), deleteChild(Int), restoreChild(Int)
    }

    private let servers: [TestServer]
    private var ada: Household
    private let seed: UInt64
    private var random: SeededGenerator
    private var places: SeededGenerator
    private(set) var model = ErasureModel()
    private(set) var hasFailed = false
    private var adults: [Household] = []
    private var children: [String] = []

    init(on servers: [TestServer], seed: UInt64) async throws {
      (self.servers, self.seed) = (servers, seed)
      random = SeededGenerator(seed: seed)
      places = SeededGenerator(seed: seed &+ 1_000)
      ada = try await Household(on: servers[0])
    }

    private var now: Int64 { servers[0].clock.clock.now() }

    private mutating func drawServer() -> TestServer { servers[Int.random(in: servers.indices, using: &places)] }

    mutating func step() async throws {
      // Limits of passwords and mails are not what is tested here.
      servers[0].clock.advance(seconds: 600)
      switch Int.random(in: 0..<10, using: &random) {
      case 0 where model.adults.count(where: { $0.state != .erased }) < 3: try await addAdult()
      case 1, 2: try await addChild()
      case 3: try await letPass(days: Int64.random(in: 1...12, using: &random))
      default:
        guard let deed = draw() else { return try await addChild() }
        var deeds = [deed]
        if Bool.random(using: &random) { deeds.append(Bool.random(using: &random) ? deed : opposite(of: deed)) }
        try await perform(deeds)
      }
      let seen = try await look(at: drawServer())
      if seen != model.lines, !hasFailed {
        hasFailed = true
        Issue.record("seed \(seed): \(seen) instead of \(model.lines)")
      }
    }

    /// Days pass, and the erasures that become due are made.
    mutating func letPass(days: Int64) async throws {
      servers[0].clock.advance(days: days)
      model.advance(to: now)
      try await servers[0].rows(
        """
        SELECT (SELECT count(*) FROM person WHERE erased_at IS NOT NULL)
          + (SELECT count(*) FROM child WHERE erased_at IS NOT NULL)
        """,
        become: Int64(model.erased.count)
      )
      // A session ends after 180 days.
      ada = try await ada.signedInAgain(on: drawServer())
      for index in adults.indices where model.adults[index].state == .present {
        adults[index] = try await adults[index].signedInAgain(on: drawServer())
      }
    }

    private mutating func addAdult() async throws {
      let name = "Xanthi\(adults.count)q"
      let adult = try await Household("\(name) Zwiebel", on: drawServer())
      // The first server sends the mails.
      try await ada.admit(adult, on: servers[0])
      adults.append(try await adult.signedInAgain(on: drawServer()))
      model.addAdult(name)
    }

    private mutating func addChild() async throws {
      let name = "Zwieback\(children.count)q"
      let child = try await ada.at(drawServer()).addChild(name, username: name.lowercased())
      let chore = try await ada.at(drawServer()).addChore(for: [child])
      _ = try await ada.at(drawServer()).assign([(chore, 2)], to: child)
      children.append(child)
      model.addChild(name)
    }

    private mutating func draw() -> Deed? {
      let isChild = Bool.random(using: &random)
      let members = isChild ? model.children : model.adults
      // Only a few erased members are chosen, because nothing can happen to them.
      guard let index = members.indices.suffix(5).randomElement(using: &random) else { return nil }
      let deletes = Int.random(in: 0..<4, using: &random) == 0 ? true : members[index].state == .present
      switch (isChild, deletes) {
      case (true, true): return .deleteChild(index)
      case (true, false): return .restoreChild(index)
      case (false, true): return .deleteAdult(index)
      case (false, false): return .restoreAdult(index)
      }
    }

    private func opposite(of deed: Deed) -> Deed {
      switch deed {
      case .deleteAdult(let index): .restoreAdult(index)
      case .restoreAdult(let index): .deleteAdult(index)
      case .deleteChild(let index): .restoreChild(index)
      case .restoreChild(let index): .deleteChild(index)
      }
    }

    /// Performs one or two actions at once. They must come to what one order of them comes to.
    private mutating func perform(_ deeds: [Deed]) async throws {
      let (home, servers) = (self, deeds.map { _ in drawServer() })
      let outcomes = try await withThrowingTaskGroup(of: (Int, Bool, Household?).self) { group in
        for (number, deed) in deeds.enumerated() {
          group.addTask {
            let (isGranted, adult) = try await home.send(deed, to: servers[number])
            return (number, isGranted, adult)
          }
        }
        return try await group.reduce(into: [Int: (Bool, Household?)]()) { $0[$1.0] = ($1.1, $1.2) }
      }
      // Who returns has a new session.
      for (number, deed) in deeds.enumerated() {
        if case .restoreAdult(let index) = deed, let adult = outcomes[number]?.1 { adults[index] = adult }
      }
      let seen = try await look(at: drawServer())
      let moment = now
      for order in deeds.count == 1 ? [[0]] : [[0, 1], [1, 0]] {
        var way = model
        let isConsistent = order.allSatisfy { number in
          let isGranted = outcomes[number]?.0 == true
          // A sign-in that found the account before its deletion, and is rejected after it.
          if case .restoreAdult = deeds[number], !isGranted, deeds.count > 1 { return true }
          return Self.perform(deeds[number], in: &way, at: moment) == isGranted
        }
        if isConsistent, way.lines == seen {
          model = way
          return
        }
      }
      hasFailed = true
      Issue.record("seed \(seed): \(deeds), \(outcomes.mapValues(\.0)), from \(model.lines) to \(seen)")
    }

    private static func perform(_ deed: Deed, in model: inout ErasureModel, at now: Int64) -> Bool {
      switch deed {
      case .deleteAdult(let index): model.deleteAdult(index, at: now)
      case .restoreAdult(let index): model.restoreAdult(index)
      case .deleteChild(let index): model.deleteChild(index, at: now)
      case .restoreChild(let index): model.restoreChild(index)
      }
    }

    /// Returns whether the action was allowed, and for an adult who returns the new session.
    private func send(_ deed: Deed, to server: TestServer) async throws -> (isGranted: Bool, adult: Household?) {
      switch deed {
      case .deleteAdult(let index):
        let outcome = try await adults[index].at(server).deleteAccount()
        // The session of a deleted account has ended.
        guard outcome.codes.isEmpty else { return (false, nil) }
        return (outcome.userErrors.isEmpty && outcome["eraseAt"] != .null, nil)
      case .restoreAdult(let index):
        let outcome = try await adults[index].reactivate(on: server)
        guard outcome.userErrors.isEmpty, let token = outcome["credentials.accessToken"].string else {
          return (false, nil)
        }
        let adult = adults[index]
        return (true, Household(adult, parent: adult.parent.with(token: token)))
      case .deleteChild(let index):
        let outcome = try await ada.at(server).deleteChild(children[index])
        try #require(outcome.codes.isEmpty, "\(outcome)")
        return (outcome.userErrors.isEmpty, nil)
      case .restoreChild(let index):
        let variables: Value = ["id": .string(children[index])]
        let outcome = try await ada.parent.at(server).another.perform(Documents.restoreChild, variables)
        try #require(outcome.codes.isEmpty, "\(outcome)")
        return (outcome.userErrors.isEmpty && outcome["child"] != .null, nil)
      }
    }

    /// What the adult who stays sees, in the form of `ErasureModel.lines`.
    private func look(at server: TestServer) async throws -> [String] {
      let family = try await ada.parent.at(server).ask(
        "{ family { parents { id firstName } children { name } deletedChildren { name eraseAt } } }"
      )["data.family"]
      let parents = family["parents"].list.filter { $0["id"].string != ada.personID }
      let deleted = try family["deletedChildren"].list.map { child in
        let time = try #require(child["eraseAt"].string)
        let moment = try Date(time, strategy: .iso8601).timeIntervalSince1970
        return "deleted \(child["name"].string ?? "") \(Int64(moment) * 1_000)"
      }
      return
        (parents.map { "parent \($0["firstName"].string ?? "")" }
        + family["children"].each("name").map { "child \($0.string ?? "")" } + deleted).sorted()
    }
  }
}
