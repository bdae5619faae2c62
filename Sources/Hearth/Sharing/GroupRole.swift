/// What somebody is to a group.
enum GroupRole: String, StoredEnumeration {
  case admin = "ADMIN", member = "MEMBER", invited = "INVITED"
}
