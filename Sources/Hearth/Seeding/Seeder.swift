import Storage

/// Inserts rows for demonstrations and benchmarks: the rows that mutations would insert, without their checks.
/// `indexSearch` adds people and groups to the search index.
struct Seeder {
  let transaction: WriteTransaction
  let now: Int64

  struct Adult {
    let first: String
    let last: String
    let born: String
    let gender: Gender
  }

  struct ChildProfile {
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

  var write: DatedWrite { DatedWrite(at: Timestamp(now), in: transaction) }

  func family(_ name: String, timeZone: String) throws -> GlobalID {
    let key = try KeySequence.next(.family, in: transaction)
    try Family.insert(key, name: name, timeZone: timeZone, in: write)
    return key
  }

  func parent(
    in family: GlobalID,
    _ adult: Adult,
    email: String,
    isEmailVerified: Bool = false,
    passwordHash: String
  ) throws -> GlobalID {
    let key = try KeySequence.next(.person, in: transaction)
    let name = PersonName(full: "\(adult.first) \(adult.last)", first: adult.first, middle: nil, last: adult.last)
    let person = Person(key, in: family, name, dateOfBirth: adult.born, gender: adult.gender, at: write.now)
    try transaction.run(Person.table.insert, person)
    let account = Account(
      id: key,
      email: email,
      emailKey: EmailAddress.key(of: email),
      isEmailVerified: isEmailVerified,
      passwordHash: passwordHash
    )
    try transaction.run(Account.table.insert, account)
    return key
  }

  func child(in family: GlobalID, _ child: ChildProfile) throws -> GlobalID {
    let key = try KeySequence.next(.child, in: transaction)
    let row = Child(
      family: family,
      id: key,
      name: child.name,
      username: child.username,
      usernameKey: child.username.lowercased(),
      dateOfBirth: child.born,
      gender: child.gender,
      theme: child.theme,
      createdAt: Timestamp(now)
    )
    try transaction.run(Child.table.insert, row)
    return key
  }

  func chore(in family: GlobalID, _ task: Task, for members: [GlobalID], by person: GlobalID) throws -> GlobalID {
    let key = try KeySequence.next(.chore, in: transaction)
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
    for member in members { try Assignment.insert(member, of: key, in: write.inFamily(family)) }
    if let unit = task.frequency.unit {
      _ = try Repetition.begin(key, each: unit, dueAt: task.dueAt, series: key, in: write.inFamily(family))
    }
    return key
  }

  func finish(_ chore: GlobalID, in family: GlobalID) throws {
    try ChoreTransition.setDone(chore, by: nil, in: write.inFamily(family))
  }

  func archive(_ chore: GlobalID, in family: GlobalID) throws {
    try ChoreTransition.setArchived(chore, in: write.inFamily(family))
  }

  /// Copies repeating chores into their next period.
  func preload(_ frequency: Frequency, in family: GlobalID, _ clock: WallClock, reminders: Scheduler) throws {
    guard let unit = frequency.unit else { return }
    let next = clock.period(unit, at: now).next
    let members = try FamilyMember.keys(of: family, from: transaction.reader)
    for source in try NextOccurrence.Source.all(
      of: family,
      frequency,
      before: next,
      limit: 100,
      from: transaction.reader
    ) {
      _ = try NextOccurrence.copy(
        source,
        frequency: frequency,
        to: next,
        clock,
        members: members,
        reminders: reminders,
        in: write.inFamily(family)
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
    let key = try KeySequence.next(.contract, in: transaction)
    let contract = Contract(
      family: family,
      child: child,
      id: key,
      description: description,
      maxPoints: maxPoints,
      createdAt: Timestamp(now)
    )
    _ = try ContractTransition.begin(contract, levels: levels, by: nil, in: write.inFamily(family))
  }

  func item(_ name: String, in family: GlobalID, by person: GlobalID) throws {
    let key = try KeySequence.next(.item, in: transaction)
    let item = Item(family: family, id: key, name: name, createdBy: person, createdAt: Timestamp(now))
    try transaction.run(Item.table.insert, item)
  }

  func reminder(of chore: GlobalID, in family: GlobalID, at moment: Int64) throws {
    let key = try KeySequence.next(.reminder, in: transaction)
    let reminder = Reminder(family: family, id: key, chore: chore, remindAt: Timestamp(moment))
    try transaction.run(Reminder.table.insert, reminder)
  }

  /// Assigns points for a chore and leaves it open, so that the demonstration has more to show.
  func points(
    _ points: Int64,
    to child: GlobalID,
    for chore: GlobalID,
    in family: GlobalID,
    by person: GlobalID
  ) throws {
    let finished = FinishedChore(
      family: family,
      child: child,
      id: try KeySequence.next(.finishedChore, in: transaction),
      chore: chore,
      points: points,
      assignedBy: person,
      finishedAt: Timestamp(now)
    )
    let entry = try KeySequence.next(.pointEntry, in: transaction)
    let contract = try PointLedger.standing(child, of: family, from: transaction.reader)?.contract
    try PointAwards.record(finished, entry: entry, contract: contract, in: transaction)
  }
}
