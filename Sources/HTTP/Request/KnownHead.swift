import Bytes
import Glibc

/// The last complete head of a connection. The heads of a client differ in few values at most, so the next one is
/// usually compared instead of parsed, which takes a tenth of the instructions.
///
/// A head is a function of its bytes, so that equal bytes have an equal head. A value that may differ has the same
/// length, is validated as in any head, and determines nothing but itself.
struct KnownHead: ~Copyable, Sendable {
  /// Empty if none is known.
  private var bytes = ByteBuffer()
  private var head = RequestHead()
  /// Longer heads are not kept, so that an idle connection has little memory.
  private static let maximumBytes = 2048

  /// Completes a reader, if the known head is at the start of `received`. Otherwise the reader does not change.
  @inline(__always)
  func complete(_ reader: inout HeadReader, from received: UnsafeRawBufferPointer) -> Bool {
    guard received.count >= bytes.count, !bytes.isEmpty else { return false }
    var length = head.contentLength
    guard matches(received, contentLength: &length) else { return false }
    reader.head = head
    reader.head.contentLength = length
    reader.end = bytes.count
    return true
  }

  @inline(__always)
  private func matches(_ received: UnsafeRawBufferPointer, contentLength: inout Int?) -> Bool {
    bytes.withUnsafeBytes { known in
      var at = 0
      for index in 0..<(head.table?.count ?? 0) {
        guard let field = head.table?[index], Self.isVariable(field) else { continue }
        let extent = field.valueExtent.range
        guard known.hasSameBytes(received, in: at..<extent.lowerBound) else { return false }
        let value = UnsafeRawBufferPointer(rebasing: received[extent])
        if field.name == .contentLength {
          contentLength = HeadReader.contentLength(value)
          if contentLength == nil { return false }
        } else if !HeaderLine.isValue(value) {
          return false
        }
        at = extent.upperBound
      }
      return known.hasSameBytes(received, in: at..<known.count)
    }
  }

  /// Keeps a complete head, which spans `bytes`.
  mutating func set(_ head: RequestHead, of bytes: UnsafeRawBufferPointer) {
    guard bytes.count <= Self.maximumBytes else { return self = KnownHead() }
    self.bytes.removeAll()
    self.bytes.append(bytes)
    self.head = head
  }

  @inline(__always)
  private static func isVariable(_ field: HeaderField) -> Bool {
    switch field.name {
    case .contentLength, .authorization, .idempotencyKey, .traceparent: !field.valueExtent.isEmpty
    default: false
    }
  }

  /// The memory of the known table, for a head that is not the known one.
  mutating func takeTable() -> HeaderTable {
    bytes.removeAll()
    guard var table = head.table.take(), isKnownUniquelyReferenced(&table) else { return HeaderTable() }
    table.reset()
    return table
  }
}

extension UnsafeRawBufferPointer {
  /// Whether two buffers have the same bytes in a range, which must be in both.
  @inline(__always)
  fileprivate func hasSameBytes(_ other: Self, in range: Range<Int>) -> Bool {
    guard let base = baseAddress, let otherBase = other.baseAddress else { return range.isEmpty }
    return memcmp(base + range.lowerBound, otherBase + range.lowerBound, range.count) == 0
  }
}
