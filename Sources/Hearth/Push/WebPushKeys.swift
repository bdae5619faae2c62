import Crypto
import Foundation

/// The key and the secret of a browser's push subscription, and the encryption of messages to it (RFC 8291, with the
/// content coding `aes128gcm` of RFC 8188). Push services cannot read what they deliver.
struct WebPushKeys: Sendable {
  private let publicKey: P256.KeyAgreement.PublicKey
  private let secret: [UInt8]

  static let publicKeyLength = 65
  static let secretLength = 16
  /// The size of the only record of a message. Every push service accepts 4,096 bytes.
  private static let recordSize: UInt32 = 4_096
  /// The longest text: a record without the header, the delimiter and the tag.
  static let maximumLength = 3_900
  /// Messages are padded to a multiple, so that their size tells little.
  private static let paddedLength = 256

  /// - Parameter stored: the public key as an uncompressed point, and then the secret. Nil if it is not a valid point.
  init?(_ stored: [UInt8]) {
    guard stored.count == Self.publicKeyLength + Self.secretLength,
      let key = try? P256.KeyAgreement.PublicKey(x963Representation: stored.prefix(Self.publicKeyLength))
    else { return nil }
    publicKey = key
    secret = Array(stored.suffix(Self.secretLength))
  }

  /// Encrypts a message. Each is encrypted with a key of its own.
  func encrypt(_ message: [UInt8]) throws -> [UInt8] {
    let sender = P256.KeyAgreement.PrivateKey()
    let senderPoint = sender.publicKey.x963Representation
    let salt = Secrets.random(16)
    let shared = try sender.sharedSecretFromKeyAgreement(with: publicKey)
    let info = Data("WebPush: info\0".utf8) + publicKey.x963Representation + senderPoint
    let material = shared.hkdfDerivedSymmetricKey(
      using: SHA256.self,
      salt: secret,
      sharedInfo: info,
      outputByteCount: 32
    )
    let key = Self.derive("Content-Encoding: aes128gcm\0", count: 16, from: material, salt: salt)
    let nonce = Self.derive("Content-Encoding: nonce\0", count: 12, from: material, salt: salt)
    // The delimiter of the last record, and padding.
    let plain = message + [2]
    let padded =
      plain + Array(repeating: 0, count: (Self.paddedLength - plain.count % Self.paddedLength) % Self.paddedLength)
    let sealed = try AES.GCM.seal(
      padded.prefix(max(plain.count, Self.maximumLength + 1)),
      using: key,
      nonce: AES.GCM.Nonce(data: nonce.withUnsafeBytes { Data($0) })
    )
    let size = withUnsafeBytes(of: Self.recordSize.bigEndian) { Array($0) }
    return salt + size + [UInt8(senderPoint.count)] + Array(senderPoint) + Array(sealed.ciphertext) + Array(sealed.tag)
  }

  private static func derive(_ info: String, count: Int, from material: SymmetricKey, salt: [UInt8]) -> SymmetricKey {
    HKDF<SHA256>.deriveKey(inputKeyMaterial: material, salt: salt, info: Data(info.utf8), outputByteCount: count)
  }
}
