import Storage

/// The relation between the viewer and a person.
enum Relation: String, StoredEnumeration {
  case itself = "SELF", none = "NONE", requestSent = "REQUEST_SENT", requestReceived = "REQUEST_RECEIVED"
  case contact = "CONTACT"

  /// The SQL expression of the relation between the person `p` and a viewer.
  static func ofPerson<Parameters>(to viewer: SQLFragment<Parameters>) -> SQLFragment<Parameters> {
    """
    CASE WHEN p.id = \(viewer) THEN \(itself) \
    WHEN EXISTS (SELECT 1 FROM contact AS c \(index: "contact_by_person") \
    WHERE c.owner_id = \(viewer) AND c.person_id = p.id) THEN \(contact) \
    ELSE coalesce((SELECT CASE WHEN r.from_id = \(viewer) THEN \(requestSent) ELSE \(requestReceived) END \
    FROM contact_request AS r WHERE \(ContactRequest.isBetween("p.id", and: viewer))), \(none)) END
    """
  }
}
