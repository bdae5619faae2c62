import Crypto
import CryptoExtras
import EventLoop
import Foundation

/// The purpose of a hash. Purposes take turns on the hashing thread.
enum PasswordUse: UInt8, Sendable {
  case signIn = 1
  case change = 2
  case registration = 3
}

/// Password hashing with scrypt (RFC 7914) on its own thread, with a bounded queue. Waiting requests take turns by
/// purpose and by client.
///
/// A hash contains its parameters: `scrypt$15$8$1$salt$hash` has the base-2 logarithm of the cost; salt and hash are in
/// base 64. With a cost of 15, hashing uses 32 MB and some 90 ms.
struct Passwords: Sendable {
  static let minimumLength = 8
  static let maximumLength = 256
  /// The number of requests that can wait for the thread.
  private static let queueLimit = 64
  /// The number of bytes of a hash.
  private static let keyLength = 32

  static func isTooLong(_ password: String) -> Bool {
    password.utf8.count > maximumLength * InputForm.bytesPerCharacter || password.count > maximumLength
  }

  private let cost: Int
  private let workers: WorkerPool
  /// A hash that is checked to pad the number of comparisons, so that the response time does not reveal how many
  /// accounts exist.
  private let decoy: String

  init(cost: Int) throws {
    self.cost = cost
    workers = try WorkerPool(
      threads: 1,
      queueLimit: Self.queueLimit,
      laneLimit: Self.queueLimit / 2,
      priority: .nice(10)
    )
    // That of no password: making a real one would take as long at each start, and as much memory.
    decoy = Self.text(salt: Secrets.random(16), key: Data(Secrets.random(Self.keyLength)), cost: cost)
  }

  /// The number of passwords that wait for a thread.
  var waitingCount: Int { workers.waitingCount }

  /// Throws `WorkerPool.Overloaded` if the queue is full.
  func hash(_ password: String, in lane: WorkLane) async throws -> String {
    let cost = cost
    return try await workers.run(in: lane) { try Self.hash(password, cost: cost) }
  }

  /// Returns the hash that the password matches. Takes at least as long as `count` comparisons.
  func match(_ password: String, among hashes: [String], atLeast count: Int, in lane: WorkLane) async throws -> String?
  {
    let candidates = hashes + Array(repeating: decoy, count: max(count - hashes.count, 0))
    var match: String?
    // Each in a turn of its own: a family can have many parents.
    for (index, candidate) in candidates.enumerated() {
      let matches = try await workers.run(in: lane) { Self.matches(password, hash: candidate) }
      if matches, index < hashes.count { match = match ?? candidate }
    }
    return match
  }

  static func hash(_ password: String, cost: Int, salt: [UInt8] = Secrets.random(16)) throws -> String {
    let key = try derive(password, salt: salt, cost: cost, blockSize: 8, parallelism: 1)
    return text(salt: salt, key: key, cost: cost)
  }

  private static func text(salt: [UInt8], key: Data, cost: Int) -> String {
    "scrypt$\(cost)$8$1$\(Data(salt).base64EncodedString())$\(key.base64EncodedString())"
  }

  private static func matches(_ password: String, hash: String) -> Bool {
    let parts = hash.split(separator: "$")
    guard parts.count == 6, parts[0] == "scrypt", let cost = Int(parts[1]), let blockSize = Int(parts[2]),
      let parallelism = Int(parts[3]), let salt = Data(base64Encoded: String(parts[4])),
      let expected = Data(base64Encoded: String(parts[5])), (1...24).contains(cost),
      let key = try? derive(password, salt: Array(salt), cost: cost, blockSize: blockSize, parallelism: parallelism)
    else { return false }
    return key.equalsInConstantTime(expected)
  }

  private static func derive(
    _ password: String,
    salt: [UInt8],
    cost: Int,
    blockSize: Int,
    parallelism: Int
  ) throws -> Data {
    // Normalized, because keyboards produce different code points for the same letters.
    let bytes = Data(password.precomposedStringWithCanonicalMapping.utf8)
    let key = try KDF.Scrypt.deriveKey(
      from: bytes,
      salt: salt,
      outputByteCount: keyLength,
      rounds: 1 << cost,
      blockSize: blockSize,
      parallelism: parallelism
    )
    return key.withUnsafeBytes { Data($0) }
  }
}
