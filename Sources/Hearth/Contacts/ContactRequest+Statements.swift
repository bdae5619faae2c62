import Storage

/// Inserts, finds and deletes requests. Accepted, rejected and cancelled requests are deleted.
extension ContactRequest {
  /// A request and its sender or recipient.
  typealias Key = (request: GlobalID, person: GlobalID)
  typealias Pair = (one: GlobalID, other: GlobalID)

  /// The maximum number of open requests that a person has sent.
  static let maximumOfPerson: Int64 = 1_000

  /// The condition that the request `r` is between two people, in either direction.
  static func isBetween<Parameters>(
    _ one: SQLFragment<Parameters>,
    and other: SQLFragment<Parameters>
  ) -> SQLFragment<Parameters> {
    """
    r.to_id IS NOT NULL AND \(lesserOf: "r.from_id", "r.to_id") = \(lesserOf: one, other) \
    AND \(greaterOf: "r.from_id", "r.to_id") = \(greaterOf: one, other)
    """
  }

  static let between = SQL<Pair>(
    "SELECT r.id, r.from_id, r.offered FROM contact_request AS r WHERE \(isBetween("\(\.one)", and: "\(\.other)"))"
  )
  static let invitation = SQL<(from: GlobalID, address: String)>(
    "SELECT id FROM contact_request WHERE invited_key = \(\.address) AND from_id = \(\.from) AND to_id IS NULL"
  )
  static let countOfPerson = SQL<GlobalID>("SELECT count(*) FROM contact_request WHERE from_id = \(\.self)")
  static let byKey = SQL<Key>(
    "SELECT id, from_id, offered FROM contact_request WHERE id = \(\.request) AND to_id = \(\.person)"
  )
  /// A request is visible to both, and an invitation to its sender.
  static let isVisible = SQL<Key>(
    "SELECT 1 FROM contact_request WHERE id = \(\.request) AND (from_id = \(\.person) OR to_id = \(\.person))"
  )
  static let delete = SQL<GlobalID>("DELETE FROM contact_request WHERE id = \(\.self)")
  static let deleteSent = SQL<Key>(
    "DELETE FROM contact_request WHERE id = \(\.request) AND from_id = \(\.person) RETURNING from_id, to_id"
  )
  static let deleteReceived = SQL<Key>(
    "DELETE FROM contact_request WHERE id = \(\.request) AND to_id = \(\.person) RETURNING from_id, to_id"
  )
  static let deleteBetween = SQL<Pair>(
    "DELETE FROM contact_request AS r WHERE \(isBetween("\(\.one)", and: "\(\.other)")) RETURNING id"
  )
  static let deleteOfPerson = SQL<GlobalID>(
    "DELETE FROM contact_request WHERE from_id = \(\.self) OR to_id = \(\.self)"
  )

  struct Found: Sendable {
    let key: GlobalID
    let from: GlobalID
    let offered: Scopes

    init(_ row: Row) {
      key = row.key(0)
      from = row.key(1)
      offered = Scopes(bits: row.int64(2))
    }
  }

  /// The content of a new request.
  struct NewRequest: Sendable {
    let from: GlobalID
    let offered: Scopes
    let requested: Scopes
    let message: String?
  }

  /// The open request between two people.
  static func find(between one: GlobalID, other: GlobalID, from reader: Reader) throws -> Found? {
    try reader.first(of: between, (one: one, other: other), Found.init)
  }

  /// The open request with this key that `person` has received.
  static func find(_ key: GlobalID?, to person: GlobalID, from reader: Reader) throws -> Found? {
    guard let key else { return nil }
    return try reader.first(of: byKey, (request: key, person: person), Found.init)
  }

  /// The open invitation of `person` to an address.
  static func invitation(from person: GlobalID, to address: EmailAddress, from reader: Reader) throws -> GlobalID? {
    try reader.key(of: invitation, (from: person, address: address.key))
  }

  /// Inserts a request to `person`, or an invitation to `address`.
  static func insert(
    _ request: NewRequest,
    to person: GlobalID?,
    address: EmailAddress? = nil,
    field: [String],
    in write: DatedWrite
  ) throws -> GlobalID {
    let count = try write.reader.number(of: countOfPerson, request.from)
    guard count ?? 0 < maximumOfPerson else {
      let message: UserError.Message = "You have sent \(maximum: maximumOfPerson) open requests: cancel some first."
      throw RejectedInput(field, code: .notAllowed, reason: .tooManyRequests, message: message)
    }
    let request = ContactRequest(
      id: try KeySequence.next(.contactRequest, in: write.transaction),
      from: request.from,
      to: person,
      offered: request.offered,
      requested: request.requested,
      message: request.message,
      invitedEmail: address?.text,
      invitedKey: address?.key,
      createdAt: write.now
    )
    try write.transaction.run(ContactRequest.table.insert, request)
    recordChange(of: request.id, from: request.from, to: person, in: write)
    return request.id
  }

  /// Records a change or the end of a request for its sender and its recipient, who is nil for an invitation.
  static func recordChange(of request: GlobalID, from: GlobalID, to person: GlobalID?, in write: DatedWrite) {
    write.record(.contactRequestChanged, subject: request, for: from)
    if let person { write.record(.contactRequestChanged, subject: request, for: person) }
  }

  static func notFound(_ field: String) -> UserError {
    UserError(field: [field], code: .notFound, message: "No open request has this id.")
  }
}
