import Storage

/// An argument of lists. It is never stored.
enum ChoreOrder: String {
  case priority = "PRIORITY", due = "DUE", name = "NAME", newest = "NEWEST"
}

enum ReminderStatus: String, StoredEnumeration {
  case scheduled = "SCHEDULED", due = "DUE", checkedOff = "CHECKED_OFF", ignored = "IGNORED"
}

enum ChoreStatus: String, StoredEnumeration {
  case open = "OPEN", done = "DONE", archived = "ARCHIVED"
}
