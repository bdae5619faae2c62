import Storage

/// How many repeating chores a family can have, and how many reminders they can have together. A turn reads the
/// reminders of all of them in one write, and so does a change of the time zone.
enum RepetitionLimits {
  static let maximumChores: Int64 = 1_000
  /// Including answered ones, which are copied too.
  static let maximumReminders: Int64 = 5_000

  static let chores = SQL<GlobalID>(
    "SELECT count(*) FROM chore \(index: "chore_repeating") WHERE repeats = 1 AND family_id = \(\.self)"
  )
  static let reminders = SQL<GlobalID>(
    """
    SELECT count(*) FROM chore AS c \(index: "chore_repeating") \
    \(join: .asWritten) reminder AS r \(index: "reminder_by_chore") ON r.family_id = c.family_id AND r.chore_id = c.id \
    WHERE c.repeats = 1 AND c.family_id = \(\.self)
    """
  )

  /// Throws if the family cannot have another repeating chore.
  static func requireRoom(in write: FamilyWrite) throws {
    guard try count(chores, of: write.family, in: write) >= maximumChores else { return }
    let message: UserError.Message =
      """
      A family can have \(maximum: maximumChores) repeating chores at most: set the frequency of some to `ONCE` first.
      """
    throw RejectedInput(["input", "frequency"], code: .notAllowed, reason: .tooManyRepeatingChores, message: message)
  }

  /// Throws if the repeating chores, with what the write has added, have too many reminders.
  static func requireFewReminders(field: [String], in write: FamilyWrite) throws {
    guard try count(reminders, of: write.family, in: write) > maximumReminders else { return }
    let message: UserError.Message =
      """
      The repeating chores of a family can have \(maximum: maximumReminders) reminders at most: remove some first.
      """
    throw RejectedInput(field, code: .notAllowed, reason: .tooManyReminders, message: message)
  }

  /// Throws if the family cannot have the repeating chores of another one too.
  static func requireRoom(forThoseOf other: GlobalID, field: [String], in write: FamilyWrite) throws {
    let others = try count(chores, of: other, in: write)
    guard others > 0 else { return }
    guard try others + count(chores, of: write.family, in: write) <= maximumChores else {
      let message: UserError.Message = "A family can have \(maximum: maximumChores) repeating chores at most."
      throw RejectedInput(field, code: .notAllowed, reason: .tooManyRepeatingChores, message: message)
    }
    let othersReminders = try count(reminders, of: other, in: write)
    guard othersReminders > 0 else { return }
    guard try othersReminders + count(reminders, of: write.family, in: write) <= maximumReminders else {
      let message: UserError.Message =
        "The repeating chores of a family can have \(maximum: maximumReminders) reminders at most."
      throw RejectedInput(field, code: .notAllowed, reason: .tooManyReminders, message: message)
    }
  }

  private static func count(_ statement: SQL<GlobalID>, of family: GlobalID, in write: FamilyWrite) throws -> Int64 {
    try write.reader.number(of: statement, family) ?? 0
  }
}
