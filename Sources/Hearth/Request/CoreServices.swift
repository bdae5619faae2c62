import Basics

/// The services on which those of the features depend, and which requests use too.
struct CoreServices: Sendable {
  let data: ServerData
  let cipher: IdentifierCipher
  let pictures: PictureStore
  let mail: MailQueue
  /// For work that cannot be undone.
  let clockWatch: ClockWatch
  /// How long after its time a reminder became due.
  let reminderLateness = Histogram([0.5, 1, 2, 5, 10, 30, 60, 300, 1_800, 3_600, 86_400])
  /// A variable for tests that ignore the leases.
  var work: WorkEnvironment
}
