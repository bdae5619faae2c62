import Storage

/// Writes rows for demonstrations and benchmarks: the same that the mutations write, without asking anybody. People and
/// groups are found by searches after `indexSearch`.
struct Seeder {
  let transaction: WriteTransaction
  let now: Int64

  struct Adult {
    let first: String
    let last: String
    let born: String
    let gender: Gender
  }

  struct YoungOne {
    let name: String
    let username: String
    let born: String
    let gender: Gender
    let theme: Theme
  }

  struct Task {
    let name: String
    let notes: String?
    let priority: Int64
    let dueAt: Int64?
    let frequency: Frequency
  }

  func family(_ name: String, timeZone: String) throws -> GlobalID {
    let key = try KeySequence.next(.family, transaction)
    try transaction.run(
      Registration.insertFamily,
      (id: key, name: name, timeZone: timeZone, now: Timestamp(now))
    )
    return key
  }

  func parent(
    in family: GlobalID,
    _ adult: Adult,
    email: String,
    isEmailVerified: Bool = false,
    passwordHash: String
  ) throws -> GlobalID {
    let key = try KeySequence.next(.person, transaction)
    let name = PersonName(full: "\(adult.first) \(adult.last)", first: adult.first, middle: nil, last: adult.last)
    let person = Person(key, in: family, name, dateOfBirth: adult.born, gender: adult.gender, at: now)
    try transaction.run(Person.table.insert, person)
    let account = Account(
      id: key,
      email: email,
      emailKey: email.lowercased(),
      isEmailVerified: isEmailVerified,
      passwordHash: passwordHash
    )
    try transaction.run(Account.table.insert, account)
    return key
  }

  func child(in family: GlobalID, _ child: YoungOne) throws -> GlobalID {
    let key = try KeySequence.next(.child, transaction)
    let statement = try transaction.statement(AddChild.insert)
    try statement.bind(1, family.rawValue)
    try statement.bind(2, key.rawValue)
    try statement.bind(3, child.name)
    try statement.bind(4, child.username)
    try statement.bind(5, child.username.lowercased())
    try statement.bind(6, child.born)
    try statement.bind(7, child.gender.stored)
    try statement.bind(8, child.theme.stored)
    try statement.bind(9, now)
    try statement.run()
    return key
  }

  func chore(in family: GlobalID, _ task: Task, for members: [GlobalID], by person: GlobalID) throws -> GlobalID {
    let key = try KeySequence.next(.chore, transaction)
    let chore = Chore(
      family: family,
      id: key,
      name: task.name,
      nameKey: NameKey.key(of: task.name),
      notes: task.notes,
      priority: task.priority,
      dueAt: task.dueAt.map(Timestamp.init),
      frequency: task.frequency,
      assignees: KeyList(members),
      createdBy: person,
      createdAt: Timestamp(now),
      updatedAt: Timestamp(now)
    )
    try transaction.run(Chore.table.insert, chore)
    for member in members { try Assignment.insert(member, of: key, in: family, transaction) }
    if let unit = task.frequency.unit {
      _ = try Repetition.begin(key, of: family, unit, dueAt: task.dueAt, series: key, at: now, transaction)
    }
    return key
  }

  func finish(_ chore: GlobalID, in family: GlobalID) throws {
    try ChoreTransition.finish(chore, of: family, at: now, transaction)
  }

  func archive(_ chore: GlobalID, in family: GlobalID) throws {
    try ChoreTransition.setArchived(chore, of: family, at: now, transaction)
  }

  /// Copies what repeats into its next period.
  func preload(_ frequency: Frequency, in family: GlobalID, _ clock: WallClock, reminders: Scheduler) throws {
    guard let unit = frequency.unit else { return }
    let next = clock.period(unit, at: now).next
    for source in try NextOccurrence.Source.all(of: family, frequency, before: next, limit: 100, transaction) {
      _ = try NextOccurrence.copy(
        source,
        of: family,
        frequency,
        to: next,
        clock,
        at: now,
        reminders: reminders,
        transaction
      )
    }
  }

  func contract(
    with child: GlobalID,
    in family: GlobalID,
    description: String?,
    maxPoints: Int64,
    levels: [(points: Int64, award: String)]
  ) throws {
    let key = try KeySequence.next(.contract, transaction)
    try transaction.run(MakeContract.endCurrent, family.rawValue, child.rawValue)
    let statement = try transaction.statement(MakeContract.insert)
    try statement.bind(1, family.rawValue)
    try statement.bind(2, child.rawValue)
    try statement.bind(3, key.rawValue)
    try statement.bind(4, description)
    try statement.bind(5, maxPoints)
    try statement.bind(6, now)
    try statement.run()
    var threshold: Int64 = 0
    for (place, level) in levels.enumerated() {
      threshold += level.points
      let inserting = try transaction.statement(MakeContract.insertLevel)
      try inserting.bind(1, family.rawValue)
      try inserting.bind(2, key.rawValue)
      try inserting.bind(3, Int64(place + 1))
      try inserting.bind(4, level.points)
      try inserting.bind(5, threshold)
      try inserting.bind(6, level.award)
      try inserting.run()
    }
    try transaction.run(MakeContract.begin, family.rawValue, child.rawValue, key.rawValue)
  }

  func item(_ name: String, in family: GlobalID, by person: GlobalID) throws {
    let key = try KeySequence.next(.item, transaction)
    let statement = try transaction.statement(AddItem.insert)
    try statement.bind(1, family.rawValue)
    try statement.bind(2, key.rawValue)
    try statement.bind(3, name)
    try statement.bind(4, person.rawValue)
    try statement.bind(5, now)
    try statement.run()
  }

  func reminder(of chore: GlobalID, in family: GlobalID, at moment: Int64) throws {
    let key = try KeySequence.next(.reminder, transaction)
    let reminder = Reminder(family: family, id: key, chore: chore, remindAt: Timestamp(moment))
    try transaction.run(Reminder.table.insert, reminder)
  }

  /// Points for a chore that stays open: there is more to show of it.
  func points(
    _ points: Int64,
    to child: GlobalID,
    for chore: GlobalID,
    in family: GlobalID,
    by person: GlobalID
  ) throws {
    let key = try KeySequence.next(.finishedChore, transaction)
    let finished = FinishedChore(
      family: family,
      child: child,
      id: key,
      chore: chore,
      points: points,
      assignedBy: person,
      finishedAt: Timestamp(now)
    )
    try transaction.run(FinishedChore.table.insert, finished)
    let contract = try transaction.reader.first(
      of: AssignPoints.contractOfChild,
      (family: family, child: child)
    ) { row in row.optionalInt64(0).map(GlobalID.init(rawValue:)) }
    try AssignPoints.add(points, to: child, contract: contract ?? nil, of: family, transaction)
  }
}
