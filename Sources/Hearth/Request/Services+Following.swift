import GraphQLTransport
import Storage

extension Services {
  /// Follows what other processes change, until `close`. Must be called once, before requests are served.
  ///
  /// - Parameter openSessions: the sessions of the open connections of this process.
  func followOthers(openSessions: @escaping @Sendable () -> [ConnectionCounts.OpenSession]) throws {
    let hints = configuration.databaseHints
    let sessions = SessionCheck(open: openSessions, endedSessions: endedSessions)
    try follower?.start([
      // Before the events, which are read in the same snapshot.
      sessions.followedData(interval: hints.readInterval),
      followedKeys(interval: hints.readInterval),
      FeedFollower(feed, hints: hints).followedData,
      pictures.followedCopies(of: database),
      pushes.followedResumptions,
    ])
  }

  /// Ends the pauses of push channels, in all processes.
  func resumePushes() async throws {
    let resumption = Setting(name: PushQueue.resumption, value: Secrets.random(16))
    // First, because the write can fail.
    pushes.resume(by: resumption.value)
    guard let follower else { return }
    try await database.write { transaction in try transaction.run(Setting.store, resumption) }
    follower.post(.resumedPushes)
  }
}
