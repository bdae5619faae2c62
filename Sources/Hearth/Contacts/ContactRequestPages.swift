import GraphQL
import Storage

/// Open requests that the viewer has received or sent, the newest first.
enum ContactRequestPages {
  static let order = ListOrder(values: 0, kind: .contactRequest)

  /// Parameters: 1 the viewer, 3 how many, 4 the key after which.
  private static let received = "FROM contact_request INDEXED BY contact_request_incoming WHERE to_id = ?1"
  private static let sent = "FROM contact_request INDEXED BY contact_request_outgoing WHERE from_id = ?1"

  static let incoming = SQL("SELECT id \(received) ORDER BY id DESC LIMIT ?3")
  static let incomingAfter = SQL("SELECT id \(received) AND id < ?4 ORDER BY id DESC LIMIT ?3")
  static let incomingCount = SQL("SELECT count(*) \(received)")
  static let outgoing = SQL("SELECT id \(sent) ORDER BY id DESC LIMIT ?3")
  static let outgoingAfter = SQL("SELECT id \(sent) AND id < ?4 ORDER BY id DESC LIMIT ?3")
  static let outgoingCount = SQL("SELECT count(*) \(sent)")

  static func page(_ asked: PageQuery, _ context: RequestContext) throws -> Page {
    asked.arguments["direction"]?.string == "OUTGOING"
      ? try ViewersList(first: outgoing, after: outgoingAfter, count: outgoingCount).page(asked, context)
      : try ViewersList(first: incoming, after: incomingAfter, count: incomingCount).page(asked, context)
  }
}
