import GraphQL
import Storage

/// A row of `notification_setting`: what a member is notified of on their devices, and when.
struct NotificationSettings: Sendable {
  var member: GlobalID
  /// A bit for each muted `NotificationKind`.
  var muted: Int64 = 0
  /// Minutes after midnight in the family's time zone. Nil without quiet hours.
  var quietFrom: Int64?
  var quietUntil: Int64?
  /// Whether reminders wait for the end of the quiet hours too. By default they do not: somebody has chosen their time.
  var quietsReminders = false

  static let table = Table<NotificationSettings>(
    "notification_setting",
    [
      Column("member_id", \.member),
      Column("muted", \.muted),
      Column("quiet_from", \.quietFrom),
      Column("quiet_until", \.quietUntil),
      Column("quiet_reminders", \.quietsReminders),
    ]
  )

  static let ofMember = SQL<GlobalID>(
    """
    SELECT muted, quiet_from, quiet_until, quiet_reminders \
    FROM \(rows: .notificationSetting, of: \.self) AS s
    """
  )
  static let store = NotificationSettings.table.insert(
    then: """
      ON CONFLICT (member_id) DO UPDATE SET muted = \(\.muted), quiet_from = \(\.quietFrom), \
      quiet_until = \(\.quietUntil), quiet_reminders = \(\.quietsReminders)
      """
  )
  static let delete = SQL<GlobalID>("DELETE FROM notification_setting WHERE member_id = \(\.self)")

  static func read(of member: GlobalID, from reader: Reader) throws -> NotificationSettings {
    try reader.first(of: ofMember, member) { row in
      NotificationSettings(
        member: member,
        muted: row.int64(0),
        quietFrom: row.optionalInt64(1),
        quietUntil: row.optionalInt64(2),
        quietsReminders: row.bool(3)
      )
    } ?? NotificationSettings(member: member)
  }

  func mutes(_ kind: NotificationKind) -> Bool { muted & kind.bit != 0 }

  /// When the quiet hours end in which `moment` is, for a kind of notification; nil outside of them.
  func quietUntil(_ kind: NotificationKind, at moment: Int64, _ clock: WallClock) -> Int64? {
    guard let quietFrom, let quietUntil, kind != .reminder || quietsReminders else { return nil }
    let minute = clock.time(at: moment) / Milliseconds.minute
    let isQuiet =
      quietFrom < quietUntil
      ? quietFrom <= minute && minute < quietUntil : quietFrom <= minute || minute < quietUntil
    guard isQuiet else { return nil }
    var day = clock.day(at: moment)
    if minute >= quietUntil { day = Day(number: day.number + 1) }
    let end = clock.firstMoment(of: day, from: quietUntil * Milliseconds.minute)
    // When clocks go back, the end can occur twice that day, and the first may have passed.
    return end > moment ? end : moment + quietUntil * Milliseconds.minute - clock.time(at: moment)
  }

  // MARK: In the schema

  static let binding = ObjectBinding(fields: [
    "muted": .property { (settings: NotificationSettings) in
      .list(NotificationKind.allCases.filter(settings.mutes).map { .string($0.rawValue) })
    },
    "quietHours": .values { (settings: NotificationSettings) in
      guard let from = settings.quietFrom, let until = settings.quietUntil else { return [] }
      return [QuietHours(from: from, until: until, includesReminders: settings.quietsReminders)]
    },
  ])

  /// Only the viewer's own account is ever loaded.
  static let ofAccount = FieldBinding.objects { batch, context in
    guard let viewer = context.member else { return }
    let settings = try read(of: viewer, from: context.reader)
    for parent in 0..<batch.count { batch.add(parent, value: settings, of: batch.resultType) }
  }

  /// Null for everybody but the child itself.
  static let ofChild = FieldBinding.objects { batch, context in
    guard let viewer = context.member else { return }
    let children = batch.keys
    for index in children.indices where children[index] == viewer.rawValue {
      batch.add(index, value: try read(of: viewer, from: context.reader), of: batch.resultType)
    }
  }
}

/// The quiet hours of a member, in minutes after midnight.
struct QuietHours: Sendable {
  let from: Int64
  let until: Int64
  let includesReminders: Bool

  static let binding = ObjectBinding(fields: [
    "from": .property { (hours: QuietHours) in .string(text(of: hours.from)) },
    "until": .property { (hours: QuietHours) in .string(text(of: hours.until)) },
    "includesReminders": .property { (hours: QuietHours) in .boolean(hours.includesReminders) },
  ])

  static func text(of minute: Int64) -> String {
    let (hours, minutes) = (minute / 60, minute % 60)
    return (hours < 10 ? "0" : "") + "\(hours):" + (minutes < 10 ? "0" : "") + "\(minutes)"
  }

  /// Parses a time such as `22:00`.
  static func minute(of text: String) -> Int64? {
    guard text.utf8.count == 5, let match = text.wholeMatch(of: /([01][0-9]|2[0-3]):([0-5][0-9])/),
      let hours = Int64(match.1), let minutes = Int64(match.2)
    else { return nil }
    return hours * 60 + minutes
  }
}
