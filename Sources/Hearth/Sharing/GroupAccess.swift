/// Who may become a member of a group.
enum GroupAccess: String, StoredEnumeration {
  case open = "OPEN", byRequest = "BY_REQUEST", byInvitation = "BY_INVITATION"
}
