import EventLoop
import Foundation
import Storage

/// A family for evaluating Hearth, with an example of everything that an app can show.
enum Demonstration {
  static let password = "hearth-demo"

  struct People: Sendable {
    struct Person: Sendable {
      let label: String
      let key: String
      let name: String
    }
    let people: [Person]

    /// The people in the form of the playground's page.
    var json: String {
      let objects = people.map { person in
        ["label": person.label, person.key: person.name, "password": Demonstration.password]
      }
      let data = (try? JSONSerialization.data(withJSONObject: objects, options: [.sortedKeys])) ?? Data("[]".utf8)
      return String(decoding: data, as: UTF8.self)
    }

    var description: String {
      "Sign in with the password \"\(Demonstration.password)\" as "
        + people.map { "\($0.name) (\($0.label))" }.joined(separator: ", ") + "."
    }
  }

  static let people = People(people: [
    .init(label: "Ada, a parent", key: "email", name: "ada@example.com"),
    .init(label: "Browning, in her address book", key: "email", name: "browning@example.com"),
    .init(label: "Mia, her daughter", key: "username", name: "mia"),
    .init(label: "Ben, her son", key: "username", name: "ben"),
  ])

  static let isEmpty = SQL<Void>("SELECT NOT EXISTS (SELECT 1 FROM family)")

  /// Fills an empty data folder, and leaves any other unchanged.
  ///
  /// - Returns: The people who can sign in with `password`; nil if the folder holds other data and not the demo family.
  static func prepare(_ services: Services) async throws -> People? {
    let hash = try await services.passwords.hash(password, in: .common)
    let now = services.clock.now()
    let (isNew, hasFamily) = try await services.database.write { transaction in
      let isEmpty = try transaction.reader.first(of: isEmpty, ()) { row in row.bool(0) }
      guard isEmpty == true else {
        let accounts = people.people.filter { $0.key == "email" }
        let hasFamily = try accounts.allSatisfy { try transaction.reader.hasRow(Registration.emailTaken, $0.name) }
        return (false, hasFamily)
      }
      try fill(Seeder(transaction: transaction, now: now), hash: hash, reminders: services.reminders)
      return (true, true)
    }
    if isNew { try await addPictures(services) }
    return hasFamily ? people : nil
  }

  private static func fill(_ seeder: Seeder, hash: String, reminders: Scheduler) throws {
    let ada = try family(seeder, hash: hash, reminders: reminders)
    try addressBook(of: ada, seeder, hash: hash)
    try seeder.indexSearch()
  }

  /// Returns the parent.
  private static func family(_ seeder: Seeder, hash: String, reminders: Scheduler) throws -> GlobalID {
    let day: Int64 = 86_400_000
    let timeZone = "Europe/London"
    let family = try seeder.family("Lovelace family", timeZone: timeZone)
    let ada = try seeder.parent(
      in: family,
      .init(first: "Ada", last: "Lovelace", born: "1988-12-10", gender: .female),
      email: "ada@example.com",
      isEmailVerified: true,
      passwordHash: hash
    )
    _ = try seeder.parent(
      in: family,
      .init(first: "William", last: "King", born: "1985-02-21", gender: .male),
      email: "william@example.com",
      isEmailVerified: true,
      passwordHash: hash
    )
    var google = VerifiedIdentity(provider: .google, subject: "demonstration")
    google.email = EmailAddress("ada.lovelace@example.com")
    try LinkIdentity.insert(google, for: ada, at: seeder.now, in: seeder.transaction)
    let mia = try seeder.child(
      in: family,
      .init(name: "Mia", username: "mia", born: "2015-04-02", gender: .female, theme: .ocean)
    )
    let ben = try seeder.child(
      in: family,
      .init(name: "Ben", username: "ben", born: "2018-09-21", gender: .male, theme: .forest)
    )
    let zoe = try seeder.child(
      in: family,
      .init(name: "Zoë", username: "zoe", born: "2021-01-30", gender: .female, theme: .candy)
    )
    let chores: [(String, String?, Int64, Int64?, Frequency, [GlobalID])] = [
      ("Feed the cat", "Half a cup, and fresh water.", 9, seeder.now + day / 4, .daily, [mia, ben]),
      ("Homework", nil, 8, seeder.now + day / 3, .daily, [mia]),
      ("Tidy the room", "Under the bed too!", 6, seeder.now + 2 * day, .weekly, [mia, ben]),
      ("Set the table", nil, 5, seeder.now + day / 2, .daily, [ben]),
      ("Water the plants", "The fern in the hall likes it most.", 4, seeder.now + 3 * day, .weekly, [zoe, ben]),
      ("Put the toys away", nil, 3, nil, .daily, [zoe]),
      ("Rake the leaves", "With a grown-up.", 2, seeder.now + 6 * day, .once, [mia, ada]),
      ("Sort the books", nil, 1, nil, .monthly, [mia]),
      ("Mend the swing", nil, 5, seeder.now - day, .once, [ada, ben]),
      ("Build a tree house", "When there is a tree.", 2, nil, .once, []),
    ]
    var keys: [GlobalID] = []
    for (name, notes, priority, due, frequency, members) in chores {
      keys.append(
        try seeder.chore(
          in: family,
          .init(name: name, notes: notes, priority: priority, dueAt: due, frequency: frequency),
          for: members,
          by: ada
        )
      )
    }
    try seeder.finish(keys[8], in: family)
    try seeder.archive(keys[9], in: family)
    try seeder.preload(.monthly, in: family, WallClock(timeZone), reminders: reminders)
    try seeder.contract(
      with: mia,
      in: family,
      description: "For a month of helping at home.",
      maxPoints: 60,
      levels: [(10, "An ice cream"), (20, "A trip to the cinema"), (30, "A new book")]
    )
    try seeder.contract(
      with: ben,
      in: family,
      description: "The first of all.",
      maxPoints: 10,
      levels: [(10, "A ball")]
    )
    try seeder.contract(
      with: ben,
      in: family,
      description: "Getting used to the table.",
      maxPoints: 30,
      levels: [(5, "A sticker"), (10, "A comic"), (15, "Baking a cake")]
    )
    for (chore, points) in [(keys[7], 3), (keys[1], 2), (keys[2], 3), (keys[0], 3), (keys[6], 2)] {
      try seeder.points(Int64(points), to: mia, for: chore, in: family, by: ada)
    }
    // Due immediately.
    try seeder.reminder(of: keys[1], in: family, at: seeder.now)
    try seeder.reminder(of: keys[0], in: family, at: seeder.now + day / 4 - 600_000)
    try seeder.reminder(of: keys[4], in: family, at: seeder.now + 2 * day)
    for name in ["Tent", "Mia's bicycle", "Chess set"] { try seeder.item(name, in: family, by: ada) }
    for (chore, points) in [(keys[3], 3), (keys[0], 2), (keys[2], 1)] {
      try seeder.points(Int64(points), to: ben, for: chore, in: family, by: ada)
    }
    return ada
  }
}
