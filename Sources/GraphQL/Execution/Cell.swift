/// A stored value in 64 bits: a number as it is, a text by its place in the request's arena.
///
/// What a cell holds is said by its column, so it carries no tag of its own; only null and "an error happened here"
/// are told apart, by numbers that no column uses.
package typealias Cell = Int64

package enum CellCoding {
  @inlinable package static var null: Cell { .min }
  /// Cells from here up to `firstValue` are errors, by their place in the request's list.
  @usableFromInline static let firstError: Cell = .min + 1
  @usableFromInline static let firstValue: Cell = .min + 1 + (1 << 20)

  @inlinable static func error(_ place: Int) -> Cell { min(firstError + Int64(place), firstValue - 1) }
  @inlinable static func errorPlace(_ cell: Cell) -> Int { Int(cell - firstError) }
  @inlinable static func isNullOrError(_ cell: Cell) -> Bool { cell < firstValue }

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
