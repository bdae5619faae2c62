import Bytes
import Glibc

/// The fields of a request's head, in the order sent. They can be read when the head is complete, and do not change
/// then.
///
/// `@unchecked Sendable`: it is only changed while its head is read, when nothing but the parser knows it.
final class HeaderTable: @unchecked Sendable {
  /// Keeps its memory for the heads after this one.
  private var entries = PlainBuffer<HeaderField>()

  func first(_ name: HeaderName) -> HeaderField? {
    for index in entries.indices where entries[index].name == name { return entries[index] }
    return nil
  }

  func reset() { entries.removeAll() }

  func append(_ field: HeaderField) { entries.append(field) }
}

extension HeaderTable: RandomAccessCollection {
  var startIndex: Int { 0 }
  var endIndex: Int { entries.count }
  subscript(index: Int) -> HeaderField { entries[index] }
}

/// What the heads of a loop have in common. Its connections take turns: an idle one has no table.
package final class HeaderTables {
  private var last = HeaderTable()
  private var validHost: [UInt8] = []

  package init() {}

  /// A table for a head. The table of a request that is finished is used again for the next one, which saves 300
  /// instructions for each.
  func next() -> HeaderTable {
    if isKnownUniquelyReferenced(&last) { last.reset() } else { last = HeaderTable() }
    return last
  }

  /// Whether a host is valid. The last valid one is kept: most requests have the same, and comparing it takes 150
  /// instructions less.
  func isValid(host: UnsafeRawBufferPointer) -> Bool {
    if let base = host.baseAddress, host.count > 0, host.count == validHost.count,
      memcmp(base, validHost, host.count) == 0
    {
      return true
    }
    guard Host.isValid(host) else { return false }
    validHost = Array(host)
    return true
  }
}
