/// What the viewer and a person are to each other.
enum Relation: String, StoredEnumeration {
  case itself = "SELF", none = "NONE", requestSent = "REQUEST_SENT", requestReceived = "REQUEST_RECEIVED"
  case contact = "CONTACT"

  /// Its place, for the person `p` and the viewer, parameter 3.
  static let ofPerson = """
    CASE WHEN p.id = ?3 THEN \(itself.stored) \
    WHEN EXISTS (SELECT 1 FROM contact AS c INDEXED BY contact_by_person \
    WHERE c.owner_id = ?3 AND c.person_id = p.id) THEN \(contact.stored) \
    ELSE ifnull((SELECT iif(r.from_id = ?3, \(requestSent.stored), \(requestReceived.stored)) \
    FROM contact_request AS r WHERE \(ContactRequestRow.isBetween("p.id", "?3"))), \(none.stored)) END
    """
}
