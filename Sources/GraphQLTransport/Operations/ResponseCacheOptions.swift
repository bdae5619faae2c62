import Synchronization

/// How many bytes of responses each loop keeps, and what the loops count together.
package struct ResponseCacheOptions: Sendable {
  let limits: ResponseCacheLimits
  let counts: ResponseCacheCounts

  /// - Parameter bytes: the maximum number of bytes of each loop; 0 keeps no responses.
  package init(bytes: Int = 0, counts: ResponseCacheCounts = ResponseCacheCounts()) {
    limits = ResponseCacheLimits(bytes: bytes)
    self.counts = counts
  }
}

/// The limits of a loop's cache.
struct ResponseCacheLimits: Sendable {
  /// The bytes of all callers.
  let bytes: Int
  /// The bytes of one group: a sixteenth.
  var bytesOfGroup: Int { bytes / 16 }
  /// The bytes of one response with its key: half of a group's, so that a long response does not displace all others.
  var bytesOfEntry: Int { (bytesOfGroup - Self.bytesBesideEntry) / 2 }
  /// An app asks a handful of different queries when it is opened, and a family has a handful of members.
  static let entriesOfGroup = 64
  /// The approximate size in memory of an entry, or of a group, beside what is kept.
  static let bytesBesideEntry = 200
}

/// What the caches of all loops contain and have done.
package final class ResponseCacheCounts: Sendable {
  let bytes = Atomic<Int>(0)
  let hits = Atomic<Int>(0)

  package init() {}

  /// The number of bytes that are kept.
  package var byteCount: Int { bytes.load(ordering: .relaxed) }
  /// The number of requests that were answered with a response to an earlier one.
  package var hitCount: Int { hits.load(ordering: .relaxed) }
}
