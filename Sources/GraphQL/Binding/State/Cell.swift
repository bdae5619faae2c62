/// A stored value in 64 bits: a number as it is, a text by its place in the request's arena.
///
/// What a cell holds is said by its column, so it carries no tag of its own; only null and "an error happened here"
/// are told apart, by numbers that no column uses.
@usableFromInline package typealias Cell = Int64

@usableFromInline package enum CellCoding {
  @inlinable package static var null: Cell { .min }
  /// A computed leaf that has not been made.
  @usableFromInline static var unmade: Cell { .min + 1 }
  /// Cells from here up to `firstValue` are errors, by their place in the request's list.
  @usableFromInline static var firstError: Cell { .min + 2 }
  @inlinable static var firstValue: Cell { .min + 2 + (1 << 20) }

  /// How many errors a request can tell apart; whatever goes wrong after it is told as the last of them.
  static let maximumErrors = 1 << 20

  static func error(_ index: Int) -> Cell { firstError + Int64(min(index, maximumErrors - 1)) }
  static func errorIndex(_ cell: Cell) -> Int { Int(cell - firstError) }
  @inlinable static func isNullOrError(_ cell: Cell) -> Bool { cell < firstValue }

  /// The lowest million of 64-bit numbers are kept as the one above them, as they stand for null and errors.
  @inlinable package static func integer(_ value: Int64) -> Cell { max(value, firstValue) }

  /// A text: bits 32 to 62 its offset in the arena, bits 1 to 31 its length, bit 0 whether JSON must escape it.
  @inlinable package static func text(offset: Int, length: Int, needsEscape: Bool) -> Cell {
    Int64(offset) << 32 | Int64(length) << 1 | (needsEscape ? 1 : 0)
  }
  @inlinable static func textOffset(_ cell: Cell) -> Int { Int(cell >> 32) }
  @inlinable static func textLength(_ cell: Cell) -> Int { Int(cell & 0xFFFF_FFFF) >> 1 }
  @inlinable static func textNeedsEscape(_ cell: Cell) -> Bool { cell & 1 == 1 }

  /// Negative zero and the smallest negative denormals share their bits with null and errors: they are zero here.
  @inlinable package static func double(_ value: Double) -> Cell {
    let cell = Int64(bitPattern: value.bitPattern)
    return cell < firstValue ? 0 : cell
  }
  @inlinable package static func double(_ cell: Cell) -> Double { Double(bitPattern: UInt64(bitPattern: cell)) }
}
