/// Where data is: in a data folder, or in a PostgreSQL database.
package enum DataLocation: Sendable {
  case folder(String)
  case postgreSQL(url: String)

  /// A URL that begins with `postgresql://`, or the path of a folder.
  package init(_ text: String) {
    let isURL = text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
    self = isURL ? .postgreSQL(url: text) : .folder(text)
  }
}
