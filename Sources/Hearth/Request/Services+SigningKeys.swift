import Storage

/// The keys that sign access tokens can be replaced at any process.
extension Services {
  /// Adopts keys that this process has stored, and tells the other processes.
  func adoptStored(_ keys: SigningKeys) async {
    await adopt(keys)
    follower?.post(.signingKeys)
  }

  /// The session and the expiry of a token with a valid signature; nil for other tokens. One that may be of a key that
  /// another process has just stored waits for up to a second until the stored keys are read again.
  func claims(of token: ArraySlice<UInt8>) async throws -> (session: GlobalID, expiresAt: Int64)? {
    if let claims = await tokens.verify(token, at: clock.now()) { return claims }
    guard heartbeat != nil, await tokens.isWellFormed(token, at: clock.now()) else { return nil }
    try await keyRefresh.wait { [self] in
      await adopt(try await database.write { transaction in try SigningKeys(transaction.reader) })
    }
    return await tokens.verify(token, at: clock.now())
  }

  /// The keys that another process has stored.
  func followedKeys(interval: Int) -> FollowedData {
    FollowedData(
      interval: { interval },
      receivers: [.signingKeys: { _ in true }],
      read: { [weak self] reader, _ in try self?.adoptUnknownKeys(from: reader) }
    )
  }

  private func adoptUnknownKeys(from reader: Reader) throws {
    let stored = try reader.first(of: Secrets.read, SigningKeys.name) { row in Array(row.blob(0)) }
    guard let stored, tokens.isUnknown(stored) else { return }
    let keys = try SigningKeys(reader)
    Task { await adopt(keys) }
  }

  private func adopt(_ keys: SigningKeys) async {
    guard let replaced = await tokens.adopt(keys) else { return }
    // Tokens that are already verified are verified again, since one could have been forged with the old key.
    endedSessions.invalidateTokens(areRevoked: replaced.isRevoked(at: clock.now()))
  }
}
