import Crypto
import Foundation

/// A refresh token: `<session id>.<secret>`. The secret is 128 random bits and a proof: an HMAC-SHA256 of the session
/// and the random bits, truncated to 128 bits. Only the server can create a token for a session, so it recognizes its
/// own used tokens without storing them. Only the hash of the current token is stored.
///
/// Secrets from before proofs existed are 256 random bits. They have the same form and remain valid.
struct RefreshToken {
  /// Creates and verifies proofs. The secret belongs to the data folder.
  struct Key: Sendable {
    private let key: SymmetricKey

    init(_ bytes: [UInt8]) { key = SymmetricKey(data: bytes) }

    fileprivate func secret(of session: GlobalID, random: [UInt8]) -> String {
      let message = withUnsafeBytes(of: session.rawValue.bigEndian) { Array($0) } + random
      let proof = HMAC<SHA256>.authenticationCode(for: message, using: key).prefix(RefreshToken.proofLength)
      return Base64URL.encode(random + proof)
    }
  }

  private static let randomLength = 16
  fileprivate static let proofLength = 16

  let session: GlobalID
  let text: String

  /// Creates a new token.
  init(of session: GlobalID, cipher: IdentifierCipher, key: Key) {
    self.session = session
    text = "\(cipher.text(of: session)).\(key.secret(of: session, random: Secrets.random(Self.randomLength)))"
  }

  /// Parses a token sent by a client. Returns nil if it does not have the right form.
  init?(_ text: String, cipher: IdentifierCipher) {
    guard text.utf8.count <= 100, let end = text.firstIndex(of: "."),
      let session = cipher.key(of: String(text[..<end])), session.kind == .session
    else { return nil }
    self.session = session
    self.text = text
  }

  var hash: [UInt8] { Array(SHA256.hash(data: Data(text.utf8))) }

  // MARK: The next token

  /// The token that replaces this one, encrypted so that only who presents this one can read it: it is stored, but of
  /// this one only the hash is.
  func sealNext(_ next: RefreshToken) throws -> [UInt8] {
    let box = try AES.GCM.seal(Data(next.text.utf8), using: sealingKey)
    return Array(box.nonce) + box.ciphertext + box.tag
  }

  /// The text of a token that `sealNext` has encrypted; nil if another one was presented.
  func openNext(_ sealed: [UInt8]) -> String? {
    guard let box = try? AES.GCM.SealedBox(combined: sealed), let text = try? AES.GCM.open(box, using: sealingKey)
    else { return nil }
    return String(decoding: text, as: UTF8.self)
  }

  private var sealingKey: SymmetricKey {
    HKDF<SHA256>.deriveKey(
      inputKeyMaterial: SymmetricKey(data: Data(text.utf8)),
      info: Data("hearth next refresh token".utf8),
      outputByteCount: 32
    )
  }

  /// Whether the server has ever issued this token for this session.
  func isProven(by key: Key) -> Bool {
    let given = text.dropFirst(IdentifierCipher.length + 1)
    guard let bytes = Base64URL.decode(given.utf8), bytes.count == Self.randomLength + Self.proofLength else {
      return false
    }
    // The texts are compared because several texts decode to the same bytes.
    let expected = key.secret(of: session, random: Array(bytes.prefix(Self.randomLength)))
    return expected.utf8.equalsInConstantTime(given.utf8)
  }
}
