import Storage

/// Who can join a group, from the widest access to the narrowest.
enum GroupAccess: String, StoredEnumeration {
  case open = "OPEN", byRequest = "BY_REQUEST", byInvitation = "BY_INVITATION"

  func isWider(than other: GroupAccess) -> Bool { stored < other.stored }
}
