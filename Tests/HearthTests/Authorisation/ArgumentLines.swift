/// The arguments of a queried field, and the values to try.
enum ArgumentLine {
  /// An id: another family's are tried. The type is of one that it finds.
  case id(of: String)
  /// A cursor: another family's are tried.
  case cursor
  /// How many: it chooses no others.
  case count
  /// Filters: with each of these literals the field is queried, and shows no more than without.
  case chosen([String])

  /// One for each argument except those of mutations: a test fails for missing ones.
  static let all: [String: ArgumentLine] = [
    "Query.node(id:)": .id(of: "Child"),
    "Query.nodes(ids:)": .id(of: "Child"),
    "Query.search(query:)": .chosen(["\"\(AuthorisationWorld.mark)\""]),
    "Query.search(kinds:)": .chosen(["[PERSON]", "[GROUP]"]),
    "Query.search(first:)": .count,
    "Query.search(after:)": .cursor,
    "Account.contacts(query:)": .chosen(["\"\(AuthorisationWorld.mark)\""]),
    "Account.contacts(first:)": .count,
    "Account.contacts(after:)": .cursor,
    "Account.contactRequests(direction:)": .chosen(["OUTGOING"]),
    "Account.contactRequests(first:)": .count,
    "Account.contactRequests(after:)": .cursor,
    "Account.groups(first:)": .count,
    "Account.groups(after:)": .cursor,
    "Account.notifications(unreadOnly:)": .chosen(["true"]),
    "Account.notifications(first:)": .count,
    "Account.notifications(after:)": .cursor,
    "Person.contactInfo(scope:)": .chosen(["WORK", "SCHOOL", "PERSONAL"]),
    "Person.pointEntries(first:)": .count,
    "Person.pointEntries(after:)": .cursor,
    "Family.child(id:)": .id(of: "Child"),
    "Family.chores(filter.status:)": .chosen(["OPEN", "DONE", "ARCHIVED"]),
    "Family.chores(filter.awaitsApproval:)": .chosen(["true", "false"]),
    "Family.chores(filter.assigneeId:)": .id(of: "Child"),
    "Family.chores(filter.frequency:)": .chosen(["WEEKLY"]),
    "Family.chores(filter.dueBefore:)": .chosen(["\"2027-01-01T00:00:00Z\""]),
    "Family.chores(filter.dueAfter:)": .chosen(["\"2026-01-01T00:00:00Z\""]),
    "Family.chores(filter.period:)": .chosen(["\"2026-W47\""]),
    "Family.chores(filter.query:)": .chosen(["\"\(AuthorisationWorld.mark)\""]),
    "Family.chores(orderBy:)": .chosen(["DUE", "NAME", "NEWEST"]),
    "Family.chores(first:)": .count,
    "Family.chores(after:)": .cursor,
    "Family.items(first:)": .count,
    "Family.items(after:)": .cursor,
    "Family.reminders(statuses:)": .chosen(["[SCHEDULED]", "[DUE, CHECKED_OFF, IGNORED]"]),
    "Family.reminders(status:)": .chosen(["[SCHEDULED]", "[DUE, CHECKED_OFF, IGNORED]"]),
    "Family.reminders(first:)": .count,
    "Family.reminders(after:)": .cursor,
    "Child.contracts(first:)": .count,
    "Child.contracts(after:)": .cursor,
    "Child.finishedChores(first:)": .count,
    "Child.finishedChores(after:)": .cursor,
    "Child.notifications(unreadOnly:)": .chosen(["true"]),
    "Child.notifications(first:)": .count,
    "Child.notifications(after:)": .cursor,
    "Child.pointEntries(first:)": .count,
    "Child.pointEntries(after:)": .cursor,
    "Child.assignedChores(first:)": .count,
    "Child.assignedChores(after:)": .cursor,
    "Group.members(query:)": .chosen(["\"\(AuthorisationWorld.mark)\""]),
    "Group.members(first:)": .count,
    "Group.members(after:)": .cursor,
    "Group.joinRequests(first:)": .count,
    "Group.joinRequests(after:)": .cursor,
    "Subscription.notificationReceived(after:)": .id(of: "ContactRequestNotification"),
  ]

  static func values(_ coordinate: String) -> [String] {
    if case .chosen(let values) = all[coordinate] { values } else { [] }
  }
}
