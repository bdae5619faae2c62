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
      let lookup = AddressBookLookup(try database.makeReader())
      let people = try lookup.people(ofSubjects: friends.map(\.id.text), at: .facebook)
      let relations = try lookup.relations(of: viewer, to: people.values)
      return friends.map { friend in
        let person = people[friend.id.text]
        return AddressBookMatch(
          entry: VerifiedIdentity.line(friend.name) ?? "",
          person: person,
          isInvited: false,
          relation: person.flatMap { relations[$0] } ?? .none
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
    reader.endRead()
    // Numbers without a country calling code are most likely from the caller's own region.
    let region = PhoneNumber(own, region: region)?.region ?? region
    let lookup = AddressBookLookup(reader)
    let emails = entries.map { entry in
      entry.emails.compactMap { EmailAddress(InputForm.normalizedLine($0, maximum: 254))?.key }
    }
    let accounts = try lookup.accounts(ofEmails: emails.joined())
    let invited = try lookup.invited(by: viewer, among: emails.joined())
    // The numbers of an entry count only if its addresses find no account.
    let numbers = zip(entries, emails).map { entry, emails in
      emails.contains { accounts[$0] != nil } ? [] : entry.phones.compactMap { PhoneNumber($0, region: region)?.e164 }
    }
    let claimants = try lookup.claimants(ofPhones: numbers.joined())
    let people = entries.indices.map { index -> GlobalID? in
      let found = emails[index].compactMap { accounts[$0] } + numbers[index].flatMap { claimants[$0] ?? [] }
      guard found.count > 1 else { return found.first?.key }
      // Several people can have the same number. The name is the tie-breaker.
      let nameKey = NameOrder.key(of: entries[index].name)
      return (found.first { $0.nameKey == nameKey } ?? found.first)?.key
    }
    let relations = try lookup.relations(of: viewer, to: people.compactMap { $0 })
    return entries.indices.map { index in
      AddressBookMatch(
        entry: entries[index].name,
        person: people[index],
        isInvited: emails[index].contains(where: invited.contains),
        relation: people[index].flatMap { relations[$0] } ?? .none
      )
    }
  }
}

extension Services {
  var addressBooks: AddressBookMatching { self[AddressBookMatching.service] }
}
