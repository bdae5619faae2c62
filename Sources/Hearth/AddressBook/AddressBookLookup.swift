import Foundation
import Storage

/// Finds the people to whom many addresses, phone numbers or accounts of a provider belong, with one statement for some
/// hundred of them. With PostgreSQL each statement is a round trip, and an address book has up to 20,000 of them.
///
/// Every statement begins from the elements of a JSON array, each of which is an array with one text.
struct AddressBookLookup {
  static let byEmails = SQL<String>(
    """
    SELECT a.email_key, p.id, p.name_key FROM \(elementsOf: \.self) AS k \
    \(join: .asWritten) account AS a ON a.email_key = k.value ->> 0 \
    \(join: .asWritten) person AS p ON p.id = a.id \
    WHERE a.email_verified = 1 AND a.hides_email = 0 AND p.deactivated_at IS NULL
    """
  )
  /// The claims in any order. A person can have the same number in several contact details.
  static let byPhones = SQL<String>(
    """
    SELECT a.phone_key, p.id, p.name_key, 0 FROM \(elementsOf: \.self) AS k \
    \(join: .asWritten) account AS a \(index: "account_by_phone") ON a.phone_key = k.value ->> 0 \
    \(join: .asWritten) person AS p ON p.id = a.id WHERE p.deactivated_at IS NULL \
    UNION ALL SELECT i.match_key, p.id, p.name_key, 1 FROM \(elementsOf: \.self) AS k \
    \(join: .asWritten) contact_info AS i \(index: "contact_info_by_key") ON i.match_key = k.value ->> 0 \
    \(join: .asWritten) person AS p ON p.id = i.person_id WHERE p.deactivated_at IS NULL \
    LIMIT \(sql: String(maximumClaims))
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
    GROUP BY i.person_id\(order: "place, id") LIMIT \(sql: String(maximumClaimants))
    """
  )
  static let bySubjects = SQL<(provider: IdentityProvider, subjects: String)>(
    """
    SELECT i.subject, p.id FROM \(elementsOf: \.subjects) AS k \
    \(join: .asWritten) identity AS i ON i.provider = \(\.provider) AND i.subject = k.value ->> 0 \
    \(join: .asWritten) person AS p ON p.id = i.person_id WHERE p.deactivated_at IS NULL
    """
  )
  static let invitations = SQL<(from: GlobalID, addresses: String)>(
    """
    SELECT r.invited_key FROM \(elementsOf: \.addresses) AS k \
    \(join: .asWritten) contact_request AS r ON r.invited_key = k.value ->> 0 AND r.from_id = \(\.from) \
    WHERE r.to_id IS NULL
    """
  )
  static let relations = SQL<(viewer: GlobalID, people: [Int64])>(
    """
    SELECT p.id, \(Relation.ofPerson(to: "\(\.viewer)")) FROM \(table: \.people) AS k \
    \(join: .asWritten) person AS p ON p.id = k.value
    """
  )

  /// The addresses, numbers or people of one statement.
  private static let portion = 500
  /// The most people that one number finds.
  private static let maximumClaimants = 20
  /// The most claims that one statement finds. Hundreds of people can claim the same number, and each number of a
  /// request can be such a one.
  private static let maximumClaims = 2_000

  struct Person: Sendable {
    let key: GlobalID
    let nameKey: String
  }

  private struct Claim {
    let number: String
    let person: Person
    /// 0 for the number of an account, and 1 for a contact detail.
    let place: Int64
  }

  private let reader: Reader

  init(_ reader: Reader) { self.reader = reader }

  /// The accounts that have verified these addresses, by the address's key.
  func accounts(ofEmails keys: some Sequence<String>) throws -> [String: Person] {
    let rows = try portions(of: keys) { portion in
      try reader.all(of: Self.byEmails, Self.elements(portion)) { row in
        (row.string(0), Person(key: row.key(1), nameKey: row.string(2)))
      }
    }
    return Dictionary(rows) { first, _ in first }
  }

  /// The people who claim these numbers, by the number: at most 20 for each, those whose account has it first.
  func claimants(ofPhones numbers: some Sequence<String>) throws -> [String: [Person]] {
    let claims = try portions(of: numbers) { portion in
      let claims = try reader.all(of: Self.byPhones, Self.elements(portion)) { row in
        Claim(number: row.string(0), person: Person(key: row.key(1), nameKey: row.string(2)), place: row.int64(3))
      }
      return claims.count < Self.maximumClaims ? claims : try portion.flatMap(claims(of:))
    }
    return Dictionary(grouping: claims, by: \.number).mapValues { claims in
      var known: Set<GlobalID> = []
      return claims.sorted { ($0.place, $0.person.key.rawValue) < ($1.place, $1.person.key.rawValue) }
        .map(\.person).filter { known.insert($0.key).inserted }.prefix(Self.maximumClaimants).map { $0 }
    }
  }

  private func claims(of number: String) throws -> [Claim] {
    defer { reader.endRead() }
    return try reader.all(of: Self.byPhone, number) { row in
      Claim(number: number, person: Person(key: row.key(0), nameKey: row.string(1)), place: row.int64(2))
    }
  }

  /// The people who have linked these accounts of a provider, by the account.
  func people(ofSubjects subjects: some Sequence<String>, at provider: IdentityProvider) throws -> [String: GlobalID] {
    let rows = try portions(of: subjects) { portion in
      try reader.all(of: Self.bySubjects, (provider: provider, subjects: Self.elements(portion))) { row in
        (row.string(0), row.key(1))
      }
    }
    return Dictionary(rows) { first, _ in first }
  }

  /// The addresses to which `person` has sent an open invitation.
  func invited(by person: GlobalID, among keys: some Sequence<String>) throws -> Set<String> {
    let rows = try portions(of: keys) { portion in
      try reader.all(of: Self.invitations, (from: person, addresses: Self.elements(portion))) { row in row.string(0) }
    }
    return Set(rows)
  }

  func relations(of viewer: GlobalID, to people: some Sequence<GlobalID>) throws -> [GlobalID: Relation] {
    let rows = try portions(of: people) { portion in
      try reader.all(of: Self.relations, (viewer: viewer, people: portion.map(\.rawValue))) { row in
        (row.key(0), Relation(stored: row.int64(1)) ?? .none)
      }
    }
    return Dictionary(rows) { first, _ in first }
  }

  /// A reader's budget applies to one transaction, so each portion is one: the rows need not be of a single snapshot.
  private func portions<Element: Hashable, Found>(
    of elements: some Sequence<Element>,
    _ read: ([Element]) throws -> [Found]
  ) throws -> [Found] {
    let elements = Array(Set(elements))
    return try stride(from: 0, to: elements.count, by: Self.portion).flatMap { start in
      defer { reader.endRead() }
      return try read(Array(elements[start..<min(start + Self.portion, elements.count)]))
    }
  }

  private static func elements(_ texts: [String]) throws -> String {
    String(decoding: try JSONEncoder().encode(texts.map { [$0] }), as: UTF8.self)
  }
}
