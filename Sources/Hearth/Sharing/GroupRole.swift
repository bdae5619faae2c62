import Storage

/// The role of a person in a group.
enum GroupRole: String, StoredEnumeration {
  case admin = "ADMIN", member = "MEMBER", invited = "INVITED"
}
