/// The session without its tokens, which are never stored, and without its viewer, whose rights can change.
extension Sessions.Begun: WriteOutcome {
  var outcome: String? {
    "\(session.rawValue) \(refreshHash.map { String($0) }.joined(separator: ","))"
  }

  init?(outcome: String) {
    // Outcomes of earlier versions have the member and the family in between.
    let parts = outcome.split(separator: " ")
    guard parts.count >= 2, let session = GlobalID(outcome: String(parts[0])) else { return nil }
    self.session = session
    refreshHash = parts[parts.count - 1].split(separator: ",").compactMap { UInt8($0) }
    issued = nil
  }
}
