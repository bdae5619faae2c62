/// A stored value in 64 bits: a number itself, or the offset and length of a text in the request's arena.
///
/// The column determines the type of a cell, so a cell carries no tag. Only null and errors are distinguishable, by
/// numbers that no column uses.
@usableFromInline package typealias Cell = Int64

@usableFromInline package enum CellCoding {
  @inlinable package static var null: Cell { .min }
  /// A computed leaf that has not been resolved yet.
  @usableFromInline static var unmade: Cell { .min + 1 }
  /// Cells from here up to `firstValue` are errors; the offset is the index of the error in `ExecutionState.failures`.
  @usableFromInline static var firstError: Cell { .min + 2 }
  @inlinable static var firstValue: Cell { .min + 2 + (1 << 20) }

  /// The number of distinct errors of a request. Further errors are represented by the last one.
  static let maximumErrors = 1 << 20

  static func error(_ index: Int) -> Cell { firstError + Int64(min(index, maximumErrors - 1)) }
  static func errorIndex(_ cell: Cell) -> Int { Int(cell - firstError) }
  @inlinable static func isNullOrError(_ cell: Cell) -> Bool { cell < firstValue }

  /// The lowest 2^20 + 2 numbers represent null and errors. Such a value is stored as the lowest number above them.
  @inlinable package static func integer(_ value: Int64) -> Cell { max(value, firstValue) }

  /// A text: bits 32 to 62 are its offset in the arena, bits 1 to 31 its length, and bit 0 is set if JSON must escape
  /// it.
  @inlinable package static func text(offset: Int, length: Int, needsEscape: Bool) -> Cell {
    Int64(offset) << 32 | Int64(length) << 1 | (needsEscape ? 1 : 0)
  }
  @inlinable static func textOffset(_ cell: Cell) -> Int { Int(cell >> 32) }
  @inlinable static func textLength(_ cell: Cell) -> Int { Int(cell & 0xFFFF_FFFF) >> 1 }
  @inlinable static func textNeedsEscape(_ cell: Cell) -> Bool { cell & 1 == 1 }

  /// Negative zero and the smallest negative denormals have the same bits as null and errors. They are stored as zero.
  @inlinable package static func double(_ value: Double) -> Cell {
    let cell = Int64(bitPattern: value.bitPattern)
    return cell < firstValue ? 0 : cell
  }
  @inlinable package static func double(_ cell: Cell) -> Double { Double(bitPattern: UInt64(bitPattern: cell)) }
}
