/// A name and an address (RFC 5322, section 3.4).
struct Mailbox: Sendable {
  let name: String?
  let address: String

  /// As it stands in `From` and `To`.
  var headerText: String {
    guard let name, !name.isEmpty else { return address }
    let phrase = HeaderText.phrase(name)
    // On a line of its own where one is not enough for both.
    let separator = phrase.utf8.count + address.utf8.count > 60 ? "\r\n " : " "
    return "\(phrase)\(separator)<\(address)>"
  }
}
