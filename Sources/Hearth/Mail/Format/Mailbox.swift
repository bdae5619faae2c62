/// A name and an address (RFC 5322, section 3.4).
struct Mailbox: Sendable {
  let name: String?
  let address: String

  /// As it stands in `From` and `To`.
  var headerText: String {
    guard let name, !name.isEmpty else { return address }
    return "\(HeaderText.phrase(name)) <\(address)>"
  }
}
