/// A display name and an address (RFC 5322, section 3.4).
struct Mailbox: Sendable {
  let name: String?
  /// The domain is ASCII, which every mail server accepts.
  let address: String

  init(name: String?, address: String) {
    self.name = name
    let parts = address.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    self.address = parts.count == 2 ? "\(parts[0])@\(DomainName.ascii(String(parts[1])))" : address
  }

  var domain: String { address.split(separator: "@").last.map(String.init) ?? "localhost" }

  /// The text of `From` and `To`.
  var headerText: String {
    guard let name, !name.isEmpty else { return address }
    let phrase = HeaderText.phrase(name)
    // The address is on a line of its own when both do not fit on one.
    let separator = phrase.utf8.count + address.utf8.count > 60 ? "\r\n " : " "
    return "\(phrase)\(separator)<\(address)>"
  }
}
