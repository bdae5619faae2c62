/// A display name and an address (RFC 5322, section 3.4).
struct Mailbox: Sendable {
  let name: String?
  let address: String

  /// The text of `From` and `To`.
  var headerText: String {
    guard let name, !name.isEmpty else { return address }
    let phrase = HeaderText.phrase(name)
    // The address is on a line of its own when both do not fit on one.
    let separator = phrase.utf8.count + address.utf8.count > 60 ? "\r\n " : " "
    return "\(phrase)\(separator)<\(address)>"
  }
}
