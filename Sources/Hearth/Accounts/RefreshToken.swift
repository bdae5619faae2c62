import Crypto
import Foundation

/// The id of its session, and 256 random bits. Only the hash of the one that is good now is stored: whichever else names
/// the session was good once, and has been used.
struct RefreshToken {
  let session: GlobalID
  let text: String

  /// A new one.
  init(of session: GlobalID, _ cipher: IdentifierCipher) {
    self.session = session
    text = "\(cipher.text(of: session)).\(Secrets.randomText())"
  }

  /// One that a client has sent; nil where it has not the form of ours.
  init?(_ text: String, _ cipher: IdentifierCipher) {
    guard text.utf8.count <= 100, let end = text.firstIndex(of: "."),
      let session = cipher.key(of: String(text[..<end])), session.kind == .session
    else { return nil }
    self.session = session
    self.text = text
  }

  var hash: [UInt8] { Array(SHA256.hash(data: Data(text.utf8))) }
}
