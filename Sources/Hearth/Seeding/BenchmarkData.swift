import Basics
import Foundation
import Storage

/// `hearth seed`: families and people for benchmarks, reproducible by the seed.
package enum BenchmarkData {
  static let password = "benchmark-password"
  /// A fixed time: 2026-11-21, 08:00 UTC.
  static let now: Int64 = 1_795_248_000_000
  private static let familiesPerWrite = 1_000
  private static let peoplePerWrite = 5_000

  /// There are no other writers, and the rows are spread over the whole file.
  private static var limits: DatabaseLimits {
    var limits = DatabaseLimits()
    limits.writeSteps = .max
    limits.writerCacheKibibytes = 1_048_576
    limits.checkpointPages = 100_000
    return limits
  }

  package enum FillError: Error, CustomStringConvertible {
    case notEmpty

    package var description: String { "The data folder is not empty: choose an empty one." }
  }

  /// Fills an empty data folder with `families` families. Family n, starting at 1, has the parent
  /// `parent{n}@example.com`, 4 children, 12 chores with 2 of the children each, and a contract per child. After them
  /// come `people` people: see `PeopleData`.
  static func fill(folder: String, families: Int, people: Int, seed: UInt64) async throws {
    try FileManager.default.createDirectory(
      atPath: folder,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
    try PostgreSQLFolderMark.requireNone(in: folder)
    let path = DataDirectory.databasePath(in: folder)
    let database = try Database(path: path, migrations: Migration.all, limits: limits)
    do {
      try await fill(database, families: families, people: people, seed: seed)
    } catch {
      await database.close()
      throw error
    }
    await database.close()
  }

  private static func fill(_ database: Database, families: Int, people: Int, seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let identifierKey = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    let salt = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    let hash = try Passwords.hash(password, cost: Configuration().passwordCost, salt: salt)
    try await database.write { transaction in
      let isEmpty = try transaction.reader.first(of: Demonstration.isEmpty, ()) { row in row.bool(0) }
      guard isEmpty == true else { throw FillError.notEmpty }
      try transaction.run(Setting.store, Setting(name: "id-key", value: identifierKey))
    }
    try await inParts(of: familiesPerWrite, count: families, seed: seed, state: (), database: database) {
      numbers,
      seeder,
      _,
      random in
      for number in numbers { try family(number, hash: hash, seeder: seeder, random: &random) }
    }
    let none = PeopleData(hash: hash)
    try await inParts(of: peoplePerWrite, count: people, seed: ~seed, state: none, database: database) {
      numbers,
      seeder,
      data,
      random in
      for number in numbers { try data.addPerson(number, seeder: seeder, random: &random) }
    }
  }

  /// - Parameter state: passed from each part to the next.
  private static func inParts<State: Sendable>(
    of size: Int,
    count: Int,
    seed: UInt64,
    state: State,
    database: Database,
    _ body: @escaping @Sendable (ClosedRange<Int>, Seeder, inout State, inout SeededGenerator) throws -> Void
  ) async throws {
    var state = state
    var first = 1
    while first <= count {
      let numbers = first...min(first + size - 1, count)
      // Each write has its own generator, derived from the seed and its first number, so a repeated write is
      // reproducible.
      let part = seed ^ UInt64(first) &* 0x9E37_79B9_7F4A_7C15
      state = try await database.write { [state] transaction in
        var random = SeededGenerator(seed: part)
        var next = state
        let seeder = Seeder(transaction: transaction, now: now)
        let firstKey = try KeySequence.next(.family, in: transaction)
        try body(numbers, seeder, &next, &random)
        try seeder.indexSearch(from: firstKey.rawValue)
        return next
      }
      first = numbers.upperBound + 1
    }
  }

  private static func family(
    _ number: Int,
    hash: String,
    seeder: Seeder,
    random: inout SeededGenerator
  ) throws {
    let last = pick(Names.last, random: &random)
    let family = try seeder.family("\(last) family", timeZone: "UTC")
    let parent = try seeder.parent(
      in: family,
      .init(
        first: pick(Names.first, random: &random),
        last: last,
        born: day(in: 1970...1995, &random),
        gender: random.next() % 2 == 0 ? .female : .male
      ),
      email: "parent\(number)@example.com",
      passwordHash: hash
    )
    let children = try (1...4).map { index in
      try seeder.child(in: family, child(index, ofFamily: number, random: &random))
    }
    for index in 0..<12 {
      let one = index % 4
      let other = (one + 1 + Int(random.next() % 3)) % 4
      let chore = chore(random: &random)
      _ = try seeder.chore(in: family, chore, for: [children[one], children[other]], by: parent)
    }
    for child in children {
      try seeder.contract(
        with: child,
        in: family,
        description: nil,
        maxPoints: 60,
        levels: [(10, "An ice cream"), (20, "A trip to the cinema"), (30, "A new bicycle bell")]
      )
    }
  }

  private static func child(
    _ index: Int,
    ofFamily family: Int,
    random: inout SeededGenerator
  ) -> Seeder.ChildProfile {
    Seeder.ChildProfile(
      name: pick(Names.first, random: &random),
      username: "child\(family)-\(index)",
      born: day(in: 2008...2022, &random),
      gender: random.next() % 2 == 0 ? .female : .male,
      theme: Theme.allCases[Int(random.next() % UInt64(Theme.allCases.count))]
    )
  }

  private static func chore(random: inout SeededGenerator) -> Seeder.Task {
    let hours = Int64(random.next() % (14 * 24))
    return Seeder.Task(
      name: pick(Names.chores, random: &random),
      notes: nil,
      priority: Int64(1 + random.next() % 10),
      dueAt: now + hours * Milliseconds.hour,
      frequency: .once
    )
  }

  private static func pick(_ list: [String], random: inout SeededGenerator) -> String {
    list[Int(random.next() % UInt64(list.count))]
  }

  static func day(in years: ClosedRange<Int>, _ random: inout SeededGenerator) -> String {
    let year = years.lowerBound + Int(random.next() % UInt64(years.count))
    let month = 1 + Int(random.next() % 12)
    let day = 1 + Int(random.next() % 28)
    return "\(year)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)"
  }
}

enum Names {
  static let first = [
    "Anna", "Ben", "Chloé", "Dmitri", "Elif", "Farah", "Giulia", "Hugo", "Ines", "Jonas", "Kenji", "Léa", "Mateo",
    "Nora", "Oskar", "Priya", "Quinn", "Rosa", "Sven", "Tomasz", "Uma", "Viktor", "Wen", "Xenia", "Yusuf", "Zoë",
  ]
  static let last = [
    "Almeida", "Bakker", "Costa", "Duncan", "Eriksson", "Fischer", "García", "Horváth", "Ito", "Jansen", "Kowalski",
    "Laurent", "Moreau", "Nowak", "O'Brien", "Petrov", "Rossi", "Schmidt", "Tanaka", "Weber", "Yılmaz", "Zhang",
  ]
  static let chores = [
    "Feed the cat", "Set the table", "Water the plants", "Take out the rubbish", "Tidy the room", "Walk the dog",
    "Wash the dishes", "Fold the laundry", "Rake the leaves", "Sweep the hall", "Sort the books", "Make the beds",
    "Clean the hamster cage", "Empty the dishwasher", "Polish the shoes", "Wipe the windows",
  ]
}
