import Basics
import Storage

/// People for benchmarks of the contact book: `person{n}@example.com` for each n from 1, with a profile, and with
/// contacts and groups among the people created shortly before.
///
/// Some lists are long. The first person has the next 5,000 as contacts and receives a notification from each of the
/// first 100,000, who are all members of the first group.
struct PeopleData: Sendable {
  private static let contactsOfFirst = 5_000
  private static let membersOfFirstGroup = 100_000
  private static let notificationsOfFirst = 100_000
  private static let peoplePerGroup = 100
  /// The number of preceding people from which contacts and group members are chosen.
  private static let reach = 200

  private let hash: String
  private var first: GlobalID?
  private var firstGroup: GlobalID?
  /// The most recent people, in their order.
  private var recent: [GlobalID] = []

  init(hash: String) { self.hash = hash }

  mutating func addPerson(_ number: Int, seeder: Seeder, random: inout SeededGenerator) throws {
    let name = PeopleNames.person(&random)
    let person = try seeder.parent(
      in: try seeder.family("\(name.last) family", timeZone: "UTC"),
      .init(
        first: name.first,
        last: name.last,
        born: BenchmarkData.day(in: 1940...2005, &random),
        gender: Gender.allCases[Int(random.next() % UInt64(Gender.allCases.count))]
      ),
      email: "person\(number)@example.com",
      passwordHash: hash
    )
    try seeder.profile(of: person, PeopleNames.profile(&random))
    guard let first else {
      first = person
      firstGroup = try seeder.group(PeopleNames.group(&random), of: person, members: [])
      return
    }
    try connect(person, number: number, to: first, seeder: seeder, random: &random)
    if number.isMultiple(of: Self.peoplePerGroup) {
      let size = 2 + Int(random.next() % 60)
      _ = try seeder.group(PeopleNames.group(&random), of: person, members: recent.suffix(size))
    }
    if recent.count == 2 * Self.reach { recent.removeFirst(Self.reach) }
    recent.append(person)
  }

  private func connect(
    _ person: GlobalID,
    number: Int,
    to first: GlobalID,
    seeder: Seeder,
    random: inout SeededGenerator
  ) throws {
    if number <= Self.contactsOfFirst + 1 { try seeder.contact(first, sharing: [.work], person, sharing: [.work]) }
    if number <= Self.notificationsOfFirst {
      let kind = Kind.contactAcceptedNotification
      try Notifications.notify(first, kind: kind, by: person, in: seeder.write)
    }
    if number <= Self.membersOfFirstGroup, let firstGroup {
      try Membership.insert(person, as: .member, of: firstGroup, in: seeder.write)
    }
    let half = Self.reach / 2
    for distance in [1 + Int(random.next() % UInt64(half)), half + 1 + Int(random.next() % UInt64(half))]
    where distance <= recent.count {
      let other = recent[recent.count - distance]
      try seeder.contact(other, sharing: [.personal], person, sharing: [.work, .school])
    }
  }
}
