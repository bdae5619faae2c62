import CCurl
import Synchronization

/// Sends mails by SMTP (RFC 5321). The connection is encrypted if the server offers STARTTLS (RFC 3207), and must be
/// encrypted if there is a password, or if the server's URL begins with `smtps`.
final class SMTPRelay: MailTransport {
  private let server: SMTPServer
  /// A file of trusted certificates; nil for those of the system.
  private let authorities: String?
  private let isStopped = Atomic<Bool>(false)

  /// In seconds.
  private static let connectionTimeout = 20
  /// How long sending a mail takes at most, in seconds.
  static let timeout = 120

  init(_ server: SMTPServer, authorities: String? = nil) {
    self.server = server
    self.authorities = authorities
  }

  /// Cancels the mail that is being sent and rejects all later ones.
  func stop() { isStopped.store(true, ordering: .releasing) }

  func send(_ message: MailMessage, sequence _: Int64) throws(MailFailure) {
    guard Curl.isReady, let handle = curl_easy_init() else {
      throw MailFailure(description: "libcurl could not be started.")
    }
    let recipients = curl_slist_append(nil, "<\(message.to.address)>")
    defer { curl_slist_free_all(recipients) }
    let transfer = SMTPTransfer(message.bytes) { self.isStopped.load(ordering: .acquiring) }
    // The handle holds unmanaged pointers to it.
    try withExtendedLifetime(transfer) { () throws(MailFailure) in
      defer { curl_easy_cleanup(handle) }
      let options = configure(handle, from: message.from, recipients: recipients, transfer: transfer)
      guard options.allSatisfy({ $0 == CURLE_OK }) else {
        throw MailFailure(description: "libcurl does not support a required option.")
      }
      let result = curl_easy_perform(handle)
      guard result == CURLE_OK else {
        throw failure(result, of: message, in: transfer.dialogue)
      }
    }
  }

  private func failure(_ result: CURLcode, of message: MailMessage, in dialogue: SMTPDialogue) -> MailFailure {
    let needsUTF8 = [message.from, message.to].contains { !$0.address.utf8.allSatisfy { $0 < 0x80 } }
    let reason =
      needsUTF8 && dialogue.endedAtAddress && !dialogue.acceptsUTF8
      ? "; the server does not support SMTPUTF8, which the address needs" : ""
    // The server's text may contain addresses, its codes do not.
    let error = dialogue.error
    return MailFailure(
      description: (error.map { "The mail server replied with \($0.codes)" }
        ?? String(cString: curl_easy_strerror(result))) + reason,
      reply: error.map { $0.line + reason },
      isPermanent: dialogue.isRejected
    )
  }

  private func configure(
    _ handle: UnsafeMutableRawPointer,
    from sender: Mailbox,
    recipients: UnsafeMutablePointer<curl_slist>?,
    transfer: SMTPTransfer
  ) -> [CURLcode] {
    let isSecure = server.isEncrypted || server.password != nil
    let pointer = Unmanaged.passUnretained(transfer).toOpaque()
    var options = [
      // The path is the name in EHLO. Many servers reject that of a machine or container, which is not a domain.
      ccurl_set_text(handle, CURLOPT_URL, "\(server.url)/\(sender.domain)"),
      ccurl_set_number(handle, CURLOPT_USE_SSL, Int((isSecure ? CURLUSESSL_ALL : CURLUSESSL_TRY).rawValue)),
      // Opportunistic encryption protects against passive listeners, not against an attacker who can remove the offer.
      // So without a password an untrusted certificate, such as that of the machine's own mail server, is better than
      // no encryption.
      ccurl_set_number(handle, CURLOPT_SSL_VERIFYPEER, isSecure ? 1 : 0),
      ccurl_set_number(handle, CURLOPT_SSL_VERIFYHOST, isSecure ? 2 : 0),
      ccurl_set_text(handle, CURLOPT_MAIL_FROM, "<\(sender.address)>"),
      ccurl_set_list(handle, CURLOPT_MAIL_RCPT, recipients),
      ccurl_set_number(handle, CURLOPT_UPLOAD, 1),
      ccurl_set_reader(handle, SMTPTransfer.read, pointer),
      ccurl_set_observer(handle, SMTPTransfer.observe, pointer),
      ccurl_set_number(handle, CURLOPT_NOPROGRESS, 0),
      ccurl_set_progress(handle, SMTPTransfer.progress, pointer),
      // The connection ends while the handle performs. Later, its callbacks would not be called.
      ccurl_set_number(handle, CURLOPT_FORBID_REUSE, 1),
      ccurl_set_number(handle, CURLOPT_CONNECTTIMEOUT, Self.connectionTimeout),
      ccurl_set_number(handle, CURLOPT_TIMEOUT, Self.timeout),
      // No signals for timeouts: the process has other threads.
      ccurl_set_number(handle, CURLOPT_NOSIGNAL, 1),
      // Ignore the proxies of the environment.
      ccurl_set_text(handle, CURLOPT_PROXY, ""),
    ]
    if let user = server.user, let password = server.password {
      options.append(ccurl_set_text(handle, CURLOPT_USERNAME, user))
      options.append(ccurl_set_text(handle, CURLOPT_PASSWORD, password))
    }
    if let authorities { options.append(ccurl_set_text(handle, CURLOPT_CAINFO, authorities)) }
    return options
  }
}
