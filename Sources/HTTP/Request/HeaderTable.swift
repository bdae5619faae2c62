/// The fields of a request's head, in the order sent. They can be read when the head is complete, and do not change
/// then.
///
/// `@unchecked Sendable`: it is only changed while its head is read, when nothing but the parser knows it.
final class HeaderTable: @unchecked Sendable {
  /// The first `count` are those of this head. Those after them are of heads before, for which the table was used.
  private var entries: [HeaderField] = []
  private(set) var count = 0

  var fields: ArraySlice<HeaderField> { entries[..<count] }

  func first(_ name: HeaderName) -> HeaderField? {
    for index in 0..<count where entries[index].name == name { return entries[index] }
    return nil
  }

  func reset() { count = 0 }

  func append(_ field: HeaderField) {
    if count < entries.count { entries[count] = field } else { entries.append(field) }
    count &+= 1
  }
}

/// Makes the tables of heads. The table of a request that is finished is used again for the next one, which saves 300
/// instructions for each. Each loop has its own, and its connections take turns: an idle one has no table.
package final class HeaderTables {
  private var last = HeaderTable()

  package init() {}

  func next() -> HeaderTable {
    if isKnownUniquelyReferenced(&last) { last.reset() } else { last = HeaderTable() }
    return last
  }
}
