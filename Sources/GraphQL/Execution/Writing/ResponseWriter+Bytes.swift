import Bytes
import JSON

extension ResponseWriter {
  @inline(__always)
  mutating func append(_ view: borrowing ResponseView, range: ConstantRange) {
    let length = Int(range.length)
    let source = view.constants + Int(range.start)
    buffer.appendUnsafe(capacity: length) { room in
      room.copyShort(from: source, count: length)
      return length
    }
  }

  /// Appends a key and a quoted text that needs no escaping.
  @inline(__always)
  mutating func appendPlainText(_ view: borrowing ResponseView, key: ConstantRange, cell: Cell) {
    let (keyLength, length) = (Int(key.length), CellCoding.textLength(cell))
    let (name, text) = (view.constants + Int(key.start), view.arena + CellCoding.textOffset(cell))
    buffer.appendUnsafe(capacity: keyLength &+ length &+ 2) { room in
      room.copyShort(from: name, count: keyLength)
      room.storeBytes(of: UInt8(ascii: "\""), toByteOffset: keyLength, as: UInt8.self)
      (room + keyLength + 1).copyShort(from: text, count: length)
      room.storeBytes(of: UInt8(ascii: "\""), toByteOffset: keyLength &+ length &+ 1, as: UInt8.self)
      return keyLength &+ length &+ 2
    }
  }

  mutating func appendText(_ view: borrowing ResponseView, cell: Cell) {
    if CellCoding.textNeedsEscape(cell) {
      buffer.append(
        jsonString: UnsafeRawBufferPointer(
          start: view.arena + CellCoding.textOffset(cell),
          count: CellCoding.textLength(cell)
        )
      )
    } else {
      appendPlainText(view, key: ConstantRange(start: 0, length: 0), cell: cell)
    }
  }
}
