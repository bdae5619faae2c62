import Storage

/// Who can join a group.
enum GroupAccess: String, StoredEnumeration {
  case open = "OPEN", byRequest = "BY_REQUEST", byInvitation = "BY_INVITATION"
}
