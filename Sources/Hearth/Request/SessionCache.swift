import Foundation
import Storage

/// A cache of verified tokens for one loop. Verifying a signature costs more than a small query, so each token is
/// verified once. The cache is bounded. Ended sessions are dropped before their sign-out is answered.
struct SessionCache {
  struct Admission {
    let viewer: Viewer
    let expiresAt: Int64
  }

  /// The bytes of a token, compared as a block, which an array does byte by byte.
  ///
  /// Only the end of a token is hashed, which is a part of its signature: it is as random, and a client cannot choose
  /// it for a token that is verified, and so kept. Hashing the whole token took 1,000 instructions, and 16 bytes one by
  /// one 160 more than a word.
  private struct Token: Hashable {
    let bytes: ArraySlice<UInt8>

    func hash(into hasher: inout Hasher) {
      bytes.withUnsafeBytes {
        let size = MemoryLayout<UInt64>.size
        if $0.count >= size { hasher.combine($0.loadUnaligned(fromByteOffset: $0.count - size, as: UInt64.self)) }
      }
    }

    static func == (one: Token, other: Token) -> Bool {
      one.bytes.withUnsafeBytes { one in
        other.bytes.withUnsafeBytes { other in
          guard one.count == other.count, let first = one.baseAddress, let second = other.baseAddress else {
            return one.count == other.count
          }
          return memcmp(first, second, one.count) == 0
        }
      }
    }
  }

  private static let maximumCount = 20_000
  private var entries: [Token: Admission] = [:]
  /// The tokens in `entries` by their session. Without it, each end of a session would visit all entries, on all loops.
  private var tokens: [GlobalID: [Token]] = [:]
  private var seen = 0

  static let bySession = SQL<(session: GlobalID, now: Timestamp)>(
    "SELECT member_id, family_id FROM session WHERE id = \(\.session) AND expires_at > \(\.now)"
  )

  /// Returns the entry of a token that was verified before and has not expired.
  mutating func admission(for token: ArraySlice<UInt8>, at now: Int64, _ services: Services) -> Admission? {
    forgetEnded(services.endedSessions)
    guard let entry = entries[Token(bytes: token)], entry.expiresAt > now else { return nil }
    return entry
  }

  /// Looks up the session of a verified token. Nil if it has ended.
  static func viewer(of session: GlobalID, at now: Timestamp, from reader: Reader) throws(DatabaseError) -> Viewer? {
    try reader.first(of: Self.bySession, (session: session, now: now)) { row in
      Viewer(session: session, member: row.key(0), family: row.key(1))
    }
  }

  /// Caches the viewer of a token. Returns nil, and caches nothing, if all tokens were invalidated since `ended`
  /// counted `count` sessions, which must be before the token was verified: its key may have been revoked.
  mutating func admit(
    _ viewer: Viewer,
    token: ArraySlice<UInt8>,
    expiresAt: Int64,
    since count: Int,
    of ended: EndedSessions
  ) -> Admission? {
    var seen = count
    if case .all = ended.changes(since: &seen) { return nil }
    if entries.count >= Self.maximumCount { forgetAll() }
    let (key, admission) = (Token(bytes: ArraySlice(Array(token))), Admission(viewer: viewer, expiresAt: expiresAt))
    // Two requests can verify the same token at once.
    if entries.updateValue(admission, forKey: key) == nil { tokens[viewer.session, default: []].append(key) }
    return admission
  }

  private mutating func forgetEnded(_ ended: EndedSessions) {
    switch ended.changes(since: &seen) {
    case .none: return
    case .sessions(let changed):
      for session in changed {
        for token in tokens.removeValue(forKey: session) ?? [] { entries[token] = nil }
      }
    case .all: forgetAll()
    }
  }

  private mutating func forgetAll() {
    entries.removeAll(keepingCapacity: true)
    tokens.removeAll(keepingCapacity: true)
  }
}
