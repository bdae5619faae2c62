import Crypto
import Foundation
import Synchronization

/// What was given for refresh tokens that were used just now, so that two tabs of an app which use the same one at once
/// both get the next.
///
/// It ends after half a minute, and as soon as what was given is used: then the client has it, and so have all its tabs,
/// and whoever still comes with the old token is somebody else. It is kept in memory only, and bounded: what is forgotten
/// counts as used again, which ends the session.
final class RefreshGrace: Sendable {
  private struct Entry {
    let usedHash: [UInt8]
    let next: String
    let until: Int64
    /// The hashes of the access tokens that were given with it.
    var access: [[UInt8]] = []
  }

  /// In milliseconds.
  static let duration: Int64 = 30_000
  private static let maximumCount = 10_000
  private static let maximumTabs = 20

  private let entries = Mutex<[GlobalID: Entry]>([:])

  /// The token has been used, and this is the one after it.
  func begin(_ used: RefreshToken, next: RefreshToken, at now: Int64) {
    entries.withLock { entries in
      if entries.count >= Self.maximumCount {
        entries = entries.filter { $0.value.until > now }
        if entries.count >= Self.maximumCount { entries.removeAll() }
      }
      entries[used.session] = Entry(usedHash: used.hash, next: next.text, until: now + Self.duration)
    }
  }

  /// What was given for the token, where it was used just now.
  func next(after used: RefreshToken, at now: Int64) -> String? {
    entries.withLock { entries in
      guard let entry = entries[used.session], entry.usedHash == used.hash, now < entry.until,
        entry.until <= now + Self.duration, entry.access.count < Self.maximumTabs
      else { return nil }
      return entry.next
    }
  }

  func gave(_ accessToken: String, of session: GlobalID) {
    let hash = Self.hash(accessToken.utf8)
    entries.withLock { entries in entries[session]?.access.append(hash) }
  }

  /// An access token of the session is used for the first time on some loop.
  func sees(_ accessToken: ArraySlice<UInt8>, of session: GlobalID) {
    entries.withLock { entries in
      guard let entry = entries[session], entry.access.contains(Self.hash(accessToken)) else { return }
      entries[session] = nil
    }
  }

  private static func hash(_ token: some Sequence<UInt8>) -> [UInt8] {
    Array(SHA256.hash(data: Data(token)))
  }
}
