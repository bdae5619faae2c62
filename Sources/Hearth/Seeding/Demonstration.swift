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
        let hasFamily = try accounts.allSatisfy { try transaction.reader.hasRow(Account.hasEmail, $0.name) }
        return (false, hasFamily)
      }
      try fill(Seeder(transaction: transaction, now: now), hash: hash, reminders: services.reminders)
      return (true, true)
    }
    if isNew { try await addPictures(services) }
    return hasFamily ? people : nil
  }

  private struct Family {
    let key: GlobalID
    let ada: GlobalID
    let mia: GlobalID
    let ben: GlobalID
    let zoe: GlobalID
  }

  /// The chores that have points or reminders.
  private struct Chores {
    let cat: GlobalID
    let homework: GlobalID
    let room: GlobalID
    let table: GlobalID
    let plants: GlobalID
    let leaves: GlobalID
    let books: GlobalID
  }

  private static let timeZone = "Europe/London"

  private static func fill(_ seeder: Seeder, hash: String, reminders: Scheduler) throws {
    let family = try family(seeder, hash: hash)
    let chores = try chores(of: family, seeder)
    try seeder.preload(.monthly, in: family.key, WallClock(timeZone), reminders: reminders)
    try contracts(of: family, seeder)
    try points(for: chores, of: family, seeder)
    try remind(of: chores, in: family, seeder)
    for name in ["Tent", "Mia's bicycle", "Chess set"] { try seeder.item(name, in: family.key, by: family.ada) }
    try addressBook(of: family.ada, seeder, hash: hash)
    try seeder.indexSearch()
  }

  private static func family(_ seeder: Seeder, hash: String) throws -> Family {
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
    try LinkIdentity.insert(google, for: ada, in: seeder.write)
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
    return Family(key: family, ada: ada, mia: mia, ben: ben, zoe: zoe)
  }

  /// Adds the chores, of which one is finished and one is archived.
  private static func chores(of family: Family, _ seeder: Seeder) throws -> Chores {
    let (now, day) = (seeder.now, Milliseconds.day)
    let (ada, mia, ben, zoe) = (family.ada, family.mia, family.ben, family.zoe)
    func add(_ chore: (String, String?, Int64, Int64?, Frequency, [GlobalID])) throws -> GlobalID {
      let (name, notes, priority, due, frequency, members) = chore
      return try seeder.chore(
        in: family.key,
        .init(name: name, notes: notes, priority: priority, dueAt: due, frequency: frequency),
        for: members,
        by: ada
      )
    }
    let cat = try add(("Feed the cat", "Half a cup, and fresh water.", 9, now + day / 4, .daily, [mia, ben]))
    let homework = try add(("Homework", nil, 8, now + day / 3, .daily, [mia]))
    let room = try add(("Tidy the room", "Under the bed too!", 6, now + 2 * day, .weekly, [mia, ben]))
    let table = try add(("Set the table", nil, 5, now + day / 2, .daily, [ben]))
    let plants = try add(
      ("Water the plants", "The fern in the hall likes it most.", 4, now + 3 * day, .weekly, [zoe, ben])
    )
    _ = try add(("Put the toys away", nil, 3, nil, .daily, [zoe]))
    let leaves = try add(("Rake the leaves", "With a grown-up.", 2, now + 6 * day, .once, [mia, ada]))
    let books = try add(("Sort the books", nil, 1, nil, .monthly, [mia]))
    let swing = try add(("Mend the swing", nil, 5, now - day, .once, [ada, ben]))
    let treeHouse = try add(("Build a tree house", "When there is a tree.", 2, nil, .once, []))
    try seeder.finish(swing, in: family.key)
    try seeder.archive(treeHouse, in: family.key)
    return Chores(cat: cat, homework: homework, room: room, table: table, plants: plants, leaves: leaves, books: books)
  }

  private static func contracts(of family: Family, _ seeder: Seeder) throws {
    try seeder.contract(
      with: family.mia,
      in: family.key,
      description: "For a month of helping at home.",
      maxPoints: 60,
      levels: [(10, "An ice cream"), (20, "A trip to the cinema"), (30, "A new book")]
    )
    try seeder.contract(
      with: family.ben,
      in: family.key,
      description: "The first of all.",
      maxPoints: 10,
      levels: [(10, "A ball")]
    )
    try seeder.contract(
      with: family.ben,
      in: family.key,
      description: "Getting used to the table.",
      maxPoints: 30,
      levels: [(5, "A sticker"), (10, "A comic"), (15, "Baking a cake")]
    )
  }

  private static func points(for chores: Chores, of family: Family, _ seeder: Seeder) throws {
    let pointsOfMia: [(GlobalID, Int64)] = [
      (chores.books, 3), (chores.homework, 2), (chores.room, 3), (chores.cat, 3), (chores.leaves, 2),
    ]
    let pointsOfBen: [(GlobalID, Int64)] = [(chores.table, 3), (chores.cat, 2), (chores.room, 1)]
    for (child, finished) in [(family.mia, pointsOfMia), (family.ben, pointsOfBen)] {
      for (chore, points) in finished {
        try seeder.points(points, to: child, for: chore, in: family.key, by: family.ada)
      }
    }
  }

  /// The first reminder is due immediately.
  private static func remind(of chores: Chores, in family: Family, _ seeder: Seeder) throws {
    let (now, day) = (seeder.now, Milliseconds.day)
    try seeder.reminder(of: chores.homework, in: family.key, at: now)
    try seeder.reminder(of: chores.cat, in: family.key, at: now + day / 4 - 10 * Milliseconds.minute)
    try seeder.reminder(of: chores.plants, in: family.key, at: now + 2 * day)
  }
}
