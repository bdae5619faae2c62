import Storage

/// Enums of the schema. A stored value is the index of its case.
enum Gender: String, StoredEnumeration {
  case female = "FEMALE", male = "MALE", other = "OTHER", unspecified = "UNSPECIFIED"
}

enum Theme: String, StoredEnumeration {
  case sunrise = "SUNRISE", ocean = "OCEAN", forest = "FOREST", lavender = "LAVENDER", slate = "SLATE", candy = "CANDY"
}

enum Frequency: String, StoredEnumeration {
  case once = "ONCE", daily = "DAILY", weekly = "WEEKLY", monthly = "MONTHLY"
}
