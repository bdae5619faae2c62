import Storage

/// The numbers of rows and the size that operators see. Counting reads whole indexes, so it does not run on an event
/// loop: 20 ms for 100,000 families.
struct DataCounts: Sendable {
  static let allFamilies = SQL<Void>("SELECT count(*) FROM family")
  static let allAccounts = SQL<Void>("SELECT count(*) FROM account")
  static let allPictures = SQL<Void>("SELECT CAST(sum(byte_count) AS bigint) FROM picture")
  static let databaseSize = SQL<Void>("SELECT \(.databaseSize)")
  static let waiting = SQL<MailUrgency>(
    "SELECT count(*) FROM mail WHERE urgency = \(\.self) AND \(Mail.condition(.waiting))"
  )
  static let retried = SQL<MailUrgency>(
    "SELECT count(*) FROM mail WHERE urgency = \(\.self) AND \(Mail.condition(.retrying))"
  )
  /// Mails that were sent or given up are kept for weeks.
  static let failed = SQL<Void>("SELECT count(*) FROM mail WHERE \(Mail.condition(.failed))")
  static let pushes = SQL<PushChannel>("SELECT count(*) FROM push WHERE kind = \(\.self) AND due_at IS NOT NULL")
  static let devices = SQL<Void>("SELECT count(*) FROM device WHERE member_id > 0")
  /// Pushes that failed are kept for weeks.
  static let failedPushes = SQL<PushChannel>(
    "SELECT count(*) FROM push WHERE failed_at IS NOT NULL AND kind = \(\.self)"
  )

  let families: Int
  let accounts: Int
  let pictureBytes: Int
  let databaseBytes: Int
  let waitingMails: Int
  let retriedMails: Int
  let failedMails: Int
  let devices: Int
  let waitingPushes: [PushChannel: Int]
  let failedPushes: [PushChannel: Int]

  init(_ reader: Reader) throws {
    func number<Parameters>(_ sql: SQL<Parameters>, of parameters: Parameters) throws -> Int {
      Int(try reader.number(of: sql, parameters) ?? 0)
    }
    families = try number(Self.allFamilies, of: ())
    accounts = try number(Self.allAccounts, of: ())
    pictureBytes = try number(Self.allPictures, of: ())
    databaseBytes = try number(Self.databaseSize, of: ())
    waitingMails = try MailUrgency.allCases.reduce(0) { try $0 + number(Self.waiting, of: $1) }
    retriedMails = try MailUrgency.allCases.reduce(0) { try $0 + number(Self.retried, of: $1) }
    failedMails = try number(Self.failed, of: ())
    devices = try number(Self.devices, of: ())
    var (waiting, failed): ([PushChannel: Int], [PushChannel: Int]) = ([:], [:])
    for channel in PushChannel.allCases {
      waiting[channel] = try number(Self.pushes, of: channel)
      failed[channel] = try number(Self.failedPushes, of: channel)
    }
    (waitingPushes, failedPushes) = (waiting, failed)
  }
}
