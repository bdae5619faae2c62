import Crypto
import Foundation

/// The token of the link by which the recipient of an invitation stops further ones.
///
/// It consists of the hash that `StoppedAddress` stores and of a signature. Both are made with a secret key of the
/// data, so a token needs no row, reveals no address, does not expire, and is the same in all mails to an address.
struct StopToken: Sendable {
  /// The hash of the mailbox.
  let hash: [UInt8]
  let text: String

  private static let partLength = 16
  /// The length of both parts in base64url.
  private static let textLength = 43

  init(address: String, key: [UInt8]) {
    let mailbox = EmailAddress.ownedMailbox(of: address)
    let hash = Self.code(of: Array("stopped invitations \(mailbox)".utf8), key: key)
    self.init(hash: hash, signature: Self.signature(of: hash, key: key))
  }

  /// Nil for a text that is not the token of an address.
  init?(_ text: String, key: [UInt8]) {
    guard text.utf8.count == Self.textLength, let bytes = Base64URL.decode(text.utf8) else { return nil }
    let (hash, signature) = (Array(bytes.prefix(Self.partLength)), Array(bytes.dropFirst(Self.partLength)))
    guard signature.equalsInConstantTime(Self.signature(of: hash, key: key)) else { return nil }
    self.init(hash: hash, signature: signature)
  }

  private init(hash: [UInt8], signature: [UInt8]) {
    self.hash = hash
    text = Base64URL.encode(hash + signature)
  }

  private static func signature(of hash: [UInt8], key: [UInt8]) -> [UInt8] {
    code(of: Array("stop link ".utf8) + hash, key: key)
  }

  private static func code(of message: [UInt8], key: [UInt8]) -> [UInt8] {
    Array(HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: key)).prefix(partLength))
  }
}
