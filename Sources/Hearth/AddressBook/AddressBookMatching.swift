import EventLoop
import GraphQL
import GraphQLTransport
import Storage

/// `matchAddressBook`: finds people by the addresses and phone numbers in a device's address book.
///
/// An address finds only the account that has verified it, as for invitations. Otherwise anybody could appear in the
/// address books of others under another name. Contact details are never verified, so only the address of the account
/// counts. Phone numbers cannot be verified. The number of an account or a contact detail, shared or not, finds
/// everybody who claims it, and the caller decides whether it is the right person. Parsing thousands of numbers takes
/// more than a tenth of a second, so it runs on its own thread with its own reader. The thread has a lower priority
/// than the loops: with the same one, the p99 of others was 2.7 ms instead of 1.0 ms.
final class AddressBookMatching: Sendable {
  static let byEmail = SQL<String>(
    """
    SELECT p.id, p.name_key FROM account AS a \(join: .asWritten) person AS p ON p.id = a.id \
    WHERE a.email_key = \(\.self) AND a.email_verified = 1 AND a.hides_email = 0 AND p.deactivated_at IS NULL
    """
  )
  /// Those whose account has the number come first. All contact details of a person with the number are one row:
  /// otherwise one person's could fill all rows.
  static let byPhone = SQL<String>(
    """
    SELECT p.id, p.name_key, 0 AS place FROM account AS a \(index: "account_by_phone") \
    \(join: .asWritten) person AS p ON p.id = a.id \
    WHERE a.phone_key = \(\.self) AND p.deactivated_at IS NULL \
    UNION ALL SELECT i.person_id, min(p.name_key), 1 FROM contact_info AS i \(index: "contact_info_by_key") \
    \(join: .asWritten) person AS p ON p.id = i.person_id WHERE i.match_key = \(\.self) AND p.deactivated_at IS NULL \
    GROUP BY i.person_id\(order: "place, id") LIMIT 20
    """
  )
  static let bySubject = SQL<(provider: IdentityProvider, subject: String)>(
    """
    SELECT p.id FROM identity AS i \(join: .asWritten) person AS p ON p.id = i.person_id \
    WHERE i.provider = \(\.provider) AND i.subject = \(\.subject) AND p.deactivated_at IS NULL
    """
  )
  static let relation = SQL<(viewer: GlobalID, person: GlobalID)>(
    "SELECT \(Relation.ofPerson(to: "\(\.viewer)")) FROM person AS p WHERE p.id = \(\.person)"
  )
  static let phoneOfViewer = SQL<GlobalID>("SELECT phone FROM account WHERE id = \(\.self)")

  static let service = FeatureService("address books") { services in try AddressBookMatching(services.database) }

  private let database: Database
  private let workers: WorkerPool

  init(_ database: Database) throws {
    self.database = database
    workers = try WorkerPool(threads: 1, queueLimit: 32, priority: .idle)
  }

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    let (services, region) = (context.services, context.configuration.phoneRegion)
    let (caller, now) = (RateLimits.Caller(network: context.client, subject: .person(viewer.member)), context.now)
    context.willSuspend()
    do {
      let addressBook = try await services.addressBooks.read(arguments["entries"])
      guard addressBook.errors.isEmpty else { return Payload(errors: addressBook.errors) }
      let unit = LimitedAction.unitOfAddresses
      let count = Int64(max((addressBook.addressCount + unit - 1) / unit, 1))
      if let wait = await services.rateLimits.takeShared(.addressLookup, count: count, by: caller, at: now) {
        throw FieldError.rateLimited(for: wait)
      }
      let matches = try await services.addressBooks.match(addressBook, for: viewer.member, region: region)
      try await context.requireSameCaller()
      return matches
    } catch is WorkerPool.Overloaded {
      throw FieldError("Too many address books are being matched: try again in a few seconds.", code: .overloaded)
    }
  }

  /// The friends at a provider who have an account, in the given order.
  func match(
    _ friends: [FacebookGraph.Friend],
    for viewer: GlobalID
  ) async throws -> [AddressBookMatch] {
    try await workers.run { [database] in
      let reader = try database.makeReader()
      defer { reader.endRead() }
      return try friends.map { friend in
        let person = try reader.first(of: Self.bySubject, (provider: .facebook, subject: friend.id.text)) { row in
          row.key(0)
        }
        return AddressBookMatch(
          entry: VerifiedIdentity.line(friend.name) ?? "",
          person: person,
          isInvited: false,
          relation: try person.map { try Self.relation(of: viewer, to: $0, from: reader) } ?? .none
        )
      }
    }
  }

  /// Entries that have been read. They are read, matched and released on the worker's thread: an address book has up to
  /// 5,000 names of 200 characters to normalize. The loop released those of rejected calls before, 0.3 ms each.
  private struct ReadEntries: Sendable {
    let errors: [UserError]
    let addressCount: Int
    let entries: WorkerReleased<[AddressBookEntry]>

    init(_ input: InputValue?, releasedBy workers: WorkerPool) {
      var errors: [UserError] = []
      let entries = AddressBookEntry.read(input, errors: &errors)
      self.errors = errors
      addressCount = entries.reduce(0) { $0 + $1.addressCount }
      self.entries = WorkerReleased(entries, by: workers)
    }
  }

  private func read(_ input: InputValue?) async throws -> ReadEntries {
    try await workers.run { [workers] in ReadEntries(input, releasedBy: workers) }
  }

  private func match(_ read: ReadEntries, for viewer: GlobalID, region: String) async throws -> Payload {
    try await workers.run { [database] in
      let reader = try database.makeReader()
      return Payload(matches: try Self.match(read.entries.take() ?? [], for: viewer, region: region, from: reader))
    }
  }

  private static func match(
    _ entries: [AddressBookEntry],
    for viewer: GlobalID,
    region: String,
    from reader: Reader
  ) throws -> [AddressBookMatch] {
    let own = try reader.first(of: phoneOfViewer, viewer) { row in row.string(0) } ?? ""
    // Numbers without a country calling code are most likely from the caller's own region.
    let region = PhoneNumber(own, region: region)?.region ?? region
    var matches: [AddressBookMatch] = []
    matches.reserveCapacity(entries.count)
    for entry in entries {
      matches.append(try match(entry, for: viewer, region: region, from: reader))
      // A reader's budget applies to one transaction. The matches need not come from a single snapshot.
      if matches.count.isMultiple(of: 500) { reader.endRead() }
    }
    reader.endRead()
    return matches
  }

  private static func match(
    _ entry: AddressBookEntry,
    for viewer: GlobalID,
    region: String,
    from reader: Reader
  ) throws -> AddressBookMatch {
    let addresses = entry.emails.compactMap { EmailAddress(InputForm.normalizedLine($0, maximum: 254)) }
    let numbers = entry.phones.compactMap { PhoneNumber($0, region: region)?.e164 }
    var people: [(person: GlobalID, nameKey: String)] = []
    for address in addresses { try find(address.key, by: byEmail, from: reader, people: &people) }
    if people.isEmpty { for number in numbers { try find(number, by: byPhone, from: reader, people: &people) } }
    // Several people can have the same number. The name is the tie-breaker.
    let nameKey = NameOrder.key(of: entry.name)
    let person = (people.first { $0.nameKey == nameKey } ?? people.first)?.person
    let isInvited = try addresses.contains { address in
      try ContactRequestRow.invitation(from: viewer, to: address, from: reader) != nil
    }
    return AddressBookMatch(
      entry: entry.name,
      person: person,
      isInvited: isInvited,
      relation: try person.map { try relation(of: viewer, to: $0, from: reader) } ?? .none
    )
  }

  private static func find(
    _ key: String,
    by sql: SQL<String>,
    from reader: Reader,
    people: inout [(person: GlobalID, nameKey: String)]
  ) throws {
    people += try reader.all(of: sql, key) { row in
      (person: row.key(0), nameKey: row.string(1))
    }
  }

  private static func relation(of viewer: GlobalID, to person: GlobalID, from reader: Reader) throws -> Relation {
    let stored = try reader.number(of: relation, (viewer: viewer, person: person))
    return stored.flatMap(Relation.init(stored:)) ?? .none
  }
}

extension Services {
  var addressBooks: AddressBookMatching { self[AddressBookMatching.service] }
}
