/// The session without its tokens, which are never stored.
extension Sessions.Begun: WriteOutcome {
  var outcome: String? {
    ([viewer.session, viewer.member, viewer.family].map { String($0.rawValue) }
      + [refreshHash.map { String($0) }.joined(separator: ",")]).joined(separator: " ")
  }

  init?(outcome: String) {
    let parts = outcome.split(separator: " ")
    guard parts.count == 4 else { return nil }
    let keys = parts.prefix(3).compactMap { GlobalID(outcome: String($0)) }
    guard keys.count == 3 else { return nil }
    viewer = Viewer(session: keys[0], member: keys[1], family: keys[2])
    refreshToken = nil
    refreshHash = parts[3].split(separator: ",").compactMap { UInt8($0) }
  }
}
