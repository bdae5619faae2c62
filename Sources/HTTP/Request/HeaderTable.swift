import Bytes

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
