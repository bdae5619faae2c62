/// A date of the proleptic Gregorian calendar.
@usableFromInline package struct CivilDate: Hashable, Sendable {
  @usableFromInline package let year: Int64
  @usableFromInline package let month: Int64
  @usableFromInline package let day: Int64

  @inlinable
  package init(year: Int64, month: Int64, day: Int64) {
    self.year = year
    self.month = month
    self.day = day
  }

  // Years begin in March here, so that a leap day is the last day of its year. Eras are 400 years and always have
  // 146,097 days. The first era begins on 0000-03-01, which is 719,468 days before 1970-01-01.

  @inlinable @inline(__always)
  package init(daysSince1970 days: Int64) {
    let shifted = days &+ 719_468
    let era = (shifted >= 0 ? shifted : shifted &- 146_096) / 146_097
    // Non-negative and small from here on, so that the divisions are by 32 bits.
    let dayOfEra = UInt32(truncatingIfNeeded: shifted &- era &* 146_097)
    let yearOfEra = (dayOfEra &- dayOfEra / 1460 &+ dayOfEra / 36_524 &- dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra &- (365 &* yearOfEra &+ yearOfEra / 4 &- yearOfEra / 100)
    // From March on, the lengths of months repeat as 31, 30, 31, 30, 31 days: 153 in five months.
    let monthFromMarch = (5 &* dayOfYear &+ 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch &+ 3 : monthFromMarch &- 9
    self.init(
      year: Int64(yearOfEra) &+ era &* 400 &+ (month <= 2 ? 1 : 0),
      month: Int64(month),
      day: Int64(dayOfYear &- (153 &* monthFromMarch &+ 2) / 5 &+ 1)
    )
  }

  /// The inverse of `init(daysSince1970:)`.
  package var daysSince1970: Int64 {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
