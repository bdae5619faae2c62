import Basics
import Testing

@testable import Hearth

/// Random people do random things, several at once and some of them against each other, and after every few of them
/// what each may see equals what a small model of the rules says. Whatever two do to each other at the same moment has
/// to come to what one order of the two comes to. A failure names the seed, which does the same again:
///
///     HEARTH_SIMULATION_SEED=7 swift test --filter ContactBookSimulation
///
/// With PostgreSQL databases the people use three servers, and the seed chooses at which each does or sees something.
/// `HEARTH_SIMULATION=whole` is of 200 people and 20,000 deeds: half an hour of processor time for each seed.
@Suite("The contact book follows its rules, whatever people do")
struct ContactBookSimulation {
  private struct Size {
    let people: Int
    let deeds: Int
    let deedsBetweenChecks: Int

    static let usual = Size(people: 10, deeds: 300, deedsBetweenChecks: 20)
    static let whole = Size(people: 200, deeds: 20_000, deedsBetweenChecks: 100)
  }

  private static let size = TestOptions.isSimulationWhole ? Size.whole : .usual
  /// Areas in which actions run concurrently.
  private static let areasAtOnce = 8

  @Test(arguments: TestOptions.simulationSeeds)
  func `what people see follows from what they did`(seed: UInt64) async throws {
    let day = 86_400
    try await TestServer.runSpread(configure: { $0.accessTokenLifetime = Int64(day) }) { servers in
      var world = World(people: try await SimulatedPeople(Self.size.people, on: servers), seed: seed)
      var done = 0
      while done < Self.size.deeds {
        servers[0].clock.advance(seconds: 1)
        let before = done / Self.size.deedsBetweenChecks
        done += try await world.turn(areas: Self.areasAtOnce)
        if done / Self.size.deedsBetweenChecks > before { try await world.check(goneGroups: done >= Self.size.deeds) }
        // Whatever follows a difference is caused by it.
        if world.hasFailed { break }
      }
    }
  }

  private struct World {
    var people: SimulatedPeople
    let seed: UInt64
    private var random: SeededGenerator
    private var model = ContactBookModel()
    private var groupCount = 0
    /// Groups with higher numbers may have been visible since the last check.
    private var seenGroups = 0
    private(set) var hasFailed = false

    /// People ask those who registered shortly before or after them, so that much happens between the same two.
    private static let neighbours = 4
    /// A group is sought among the last that were made, so that there are some in which several are.
    private static let groupsInReach = 12

    init(people: SimulatedPeople, seed: UInt64) {
      self.people = people
      self.seed = seed
      random = SeededGenerator(seed: seed)
    }

    private mutating func expect(_ isTrue: Bool, _ comment: @autoclosure () -> String) {
      if !isTrue { hasFailed = true }
      #expect(isTrue, "seed \(seed): \(comment())")
    }

    // MARK: Doing

    /// Performs one or two actions in each of some areas concurrently; returns the number of actions.
    mutating func turn(areas: Int) async throws -> Int {
      model.moment += 1
      var deeds: [SimulatedDeed.Area: [SimulatedDeed]] = [:]
      for _ in 0..<areas {
        let deed = draw()
        if deeds[deed.area] != nil { continue }
        deeds[deed.area] = [deed]
        if case .createGroup = deed.action { continue }
        if Bool.random(using: &random) { deeds[deed.area]?.append(rival(of: deed)) }
      }
      // In an order that the seed gives: a dictionary's own is another in each process.
      let order = deeds.keys.sorted { "\($0)" < "\($1)" }
      let all = order.flatMap { deeds[$0] ?? [] }
      people.place = drawPlace()
      let granted = try await people.perform(all, at: all.map { _ in drawPlace() })
      people.place = drawPlace()
      var next = 0
      for area in order {
        let here = deeds[area] ?? []
        try await follow(here, granted: Array(granted[next..<(next + here.count)]))
        next += here.count
      }
      return all.count
    }

    private mutating func drawPlace() -> Int { Int.random(in: people.places, using: &random) }

    private mutating func draw() -> SimulatedDeed {
      let one = Int.random(in: people.indices, using: &random)
      let scopes = drawScopes()
      if Bool.random(using: &random) {
        return .inPair(one, neighbour(of: one), scopes, &random)
      }
      if groupCount == 0 || Int.random(in: 0..<20, using: &random) == 0 {
        groupCount += 1
        return SimulatedDeed(area: .group(groupCount - 1), action: .createGroup, one: one, other: one, scopes: scopes)
      }
      let group = drawGroup()
      return .inGroup(group, someone(in: group), someone(in: group), scopes, &random)
    }

    /// Mostly one that is there.
    private mutating func drawGroup() -> Int {
      let reach = max(0, groupCount - Self.groupsInReach)..<groupCount
      let there = reach.filter { model.groups[$0] != nil }
      let isThere = !there.isEmpty && Int.random(in: 0..<8, using: &random) > 0
      return isThere ? there[Int.random(in: there.indices, using: &random)] : Int.random(in: reach, using: &random)
    }

    /// A concurrent action of another person, or of the same on another device, in the same area.
    private mutating func rival(of deed: SimulatedDeed) -> SimulatedDeed {
      let scopes = drawScopes()
      switch deed.area {
      case .pair(let one, let other):
        let isFirst = Bool.random(using: &random)
        return .inPair(isFirst ? one : other, isFirst ? other : one, scopes, &random)
      case .group(let group): return .inGroup(group, someone(in: group), someone(in: group), scopes, &random)
      }
    }

    private mutating func drawScopes() -> [String] {
      D04ContactDetailsTests.all.filter { _ in Bool.random(using: &random) }
    }

    /// Themselves at times, which is rejected.
    private mutating func neighbour(of one: Int) -> Int {
      let distance = Int.random(in: -Self.neighbours...Self.neighbours, using: &random)
      return (one + distance + people.indices.count) % people.indices.count
    }

    /// Mostly a member, otherwise anyone.
    private mutating func someone(in group: Int) -> Int {
      let members = model.groups[group]?.members ?? []
      guard !members.isEmpty, Int.random(in: 0..<3, using: &random) > 0 else {
        return Int.random(in: people.indices, using: &random)
      }
      return members[Int.random(in: members.indices, using: &random)].person
    }

    /// Advances the model to the state of the people: the result of the actions in one of the two orders.
    private mutating func follow(_ deeds: [SimulatedDeed], granted: [Bool]) async throws {
      let known = model.book(of: deeds[0].one)
      var ways: [ContactBookModel] = []
      for order in deeds.count == 1 ? [[0]] : [[0, 1], [1, 0]] {
        var way = model
        var isGranted = granted
        for area in order { isGranted[area] = way.perform(deeds[area]) }
        if isGranted == granted { ways.append(way) }
      }
      if ways.count > 1 { ways = try await seen(ways, after: deeds) }
      expect(!ways.isEmpty, "no order of \(deeds) comes to what is there, with \(granted) granted, after \(known)")
      if let way = ways.first { model = way }
      if ways.count > 1 { try await joinAgain(deeds) }
    }

    /// A person who joins, or is let in, while another changes what the group shares or who can join, has agreed to the
    /// one or the other, and that may show only later. So has one of two admins who change it at once. They join again,
    /// and so agree to what it is now. A person whom two invite at once joins, since it shows only later by whom they
    /// were invited.
    private mutating func joinAgain(_ deeds: [SimulatedDeed]) async throws {
      let changesSharing = deeds.contains { if case .setGroupSharing = $0.action { true } else { false } }
      let inviters = deeds.filter { if case .invite = $0.action { true } else { false } }
      let areTwoInvited = inviters.count == 2 && inviters[0].other == inviters[1].other
      let people = deeds.compactMap { deed -> Int? in
        switch deed.action {
        case .join, .setAccess, .setGroupSharing: deed.one
        case .acceptJoin where changesSharing: deed.other
        case .invite where changesSharing || areTwoInvited: deed.other
        default: nil
        }
      }
      let joins = Set(people).sorted().map { person in
        SimulatedDeed(area: deeds[0].area, action: .join, one: person, other: person, scopes: [])
      }
      let granted = try await self.people.perform(joins, at: joins.map { _ in drawPlace() })
      for (deed, isGranted) in zip(joins, granted) {
        let isDue = model.perform(deed)
        expect(isGranted == isDue, "\(deed) after \(deeds)")
      }
    }

    /// The orders that are consistent with what the people see.
    private func seen(_ ways: [ContactBookModel], after deeds: [SimulatedDeed]) async throws -> [ContactBookModel] {
      var left = ways
      switch deeds[0].area {
      case .pair(let one, let other):
        // Their contacts with others may have changed in this turn, and not yet in the model.
        let shown = ContactBookModel.lines(of: try await people.book(of: one), about: other)
        let theirs = ContactBookModel.lines(of: try await people.book(of: other), about: one)
        left = left.filter { way in
          ContactBookModel.lines(of: way.book(of: one), about: other) == shown
            && ContactBookModel.lines(of: way.book(of: other), about: one) == theirs
        }
      case .group(let number):
        let members = ways.compactMap { $0.groups[number]?.members.first?.person }
        // Only these people see who is invited.
        let invited = ways.map { Set($0.groups[number]?.invited.keys.map(\.self) ?? []) }
        let differing = invited.dropFirst().reduce(Set<Int>()) { $0.union($1.symmetricDifference(invited[0])) }
        for one in Set(deeds.flatMap { [$0.one, $0.other] } + members + differing) {
          let group = try await people.groups([number], seenBy: one)
          left = left.filter { $0.groups([number], seenBy: one) == group }
        }
      }
      return left
    }

    // MARK: Comparing

    private struct View: Sendable {
      let one: Int
      let book: [String]
      let everybody: [String]
      let names: Set<String>
      let groups: [String]
    }

    /// Checks that everybody sees what the model predicts. Deleted groups are checked again at the end.
    mutating func check(goneGroups: Bool) async throws {
      let numbers = (0..<groupCount).filter { goneGroups || model.groups[$0] != nil || $0 >= seenGroups }
      seenGroups = max(0, groupCount - Self.groupsInReach)
      people.place = drawPlace()
      let views = try await inParallel(Array(people.indices), width: 4) { [people] one in
        View(
          one: one,
          book: try await people.book(of: one),
          everybody: try await people.everybody(seenBy: one),
          names: Set(try await people.names(ofGroupsOf: one)),
          groups: try await people.groups(numbers, seenBy: one)
        )
      }
      for view in views {
        let one = view.one
        let book = model.book(of: one)
        expect(view.book == book, "\(one) has \(view.book) in their book, not \(book)")
        for (other, (seen, due)) in zip(view.everybody, model.everybody(people.indices, seenBy: one)).enumerated() {
          expect(seen == due, "\(one) sees \(other): \(seen), not \(due)")
        }
        let own = Set(model.groups.filter { $0.value.index(of: one) != nil }.keys.map { "Group \($0)" })
        expect(view.names == own, "\(one) is in \(view.names), not \(own)")
        for (number, (seen, due)) in zip(numbers, zip(view.groups, model.groups(numbers, seenBy: one))) {
          expect(seen == due, "\(one) sees group \(number): \(seen), not \(due)")
        }
      }
    }
  }
}
