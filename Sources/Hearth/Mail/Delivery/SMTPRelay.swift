import CCurl
import Synchronization

/// Sends mails by SMTP (RFC 5321). The connection is encrypted if the server offers STARTTLS (RFC 3207), and must be
/// encrypted if there is a password.
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

  func send(_ message: Message, sequence _: Int64) throws(MailFailure) {
    guard Curl.isReady, let handle = curl_easy_init() else {
      throw MailFailure(description: "libcurl could not be started.")
    }
    defer { curl_easy_cleanup(handle) }
    let recipients = curl_slist_append(nil, "<\(message.to.address)>")
    defer { curl_slist_free_all(recipients) }
    // The handle holds unmanaged pointers to these, so they must live until it has performed.
    let upload = Upload(message.bytes)
    try withExtendedLifetime(upload) { () throws(MailFailure) in
      let options = configure(handle, from: message.from.address, recipients: recipients, upload: upload)
      guard options.allSatisfy({ $0 == CURLE_OK }) else {
        throw MailFailure(description: "libcurl does not support a required option.")
      }
      let result = curl_easy_perform(handle)
      guard result == CURLE_OK else {
        // The server's text may contain addresses, so only its code is reported.
        let code = ccurl_response_code(handle)
        throw MailFailure(
          description: "\(String(cString: curl_easy_strerror(result))) (SMTP \(code))",
          isPermanent: Self.isPermanent(result, code: code, hasBegun: upload.hasBegun)
        )
      }
    }
  }

  /// Whether the server has rejected this mail permanently (RFC 5321, section 4.2.1). Errors of the connection or of
  /// authentication are not permanent: an operator can correct them.
  private static func isPermanent(_ result: CURLcode, code: Int, hasBegun: Bool) -> Bool {
    let aboutSigningIn = [530, 534, 535, 538]
    guard (500...599).contains(code), !aboutSigningIn.contains(code) else { return false }
    // libcurl reports the first code for replies to MAIL, RCPT and DATA; all others concern the mail's content.
    return result == CURLE_SEND_ERROR || hasBegun
  }

  private func configure(
    _ handle: UnsafeMutableRawPointer,
    from sender: String,
    recipients: UnsafeMutablePointer<curl_slist>?,
    upload: Upload
  ) -> [CURLcode] {
    let isSigningIn = server.password != nil
    var options = [
      ccurl_set_text(handle, CURLOPT_URL, server.url),
      ccurl_set_number(handle, CURLOPT_USE_SSL, Int((isSigningIn ? CURLUSESSL_ALL : CURLUSESSL_TRY).rawValue)),
      // Opportunistic encryption protects against passive listeners, not against an attacker who can remove the offer.
      // So without a password an untrusted certificate, such as that of the machine's own mail server, is better than
      // no encryption.
      ccurl_set_number(handle, CURLOPT_SSL_VERIFYPEER, isSigningIn ? 1 : 0),
      ccurl_set_number(handle, CURLOPT_SSL_VERIFYHOST, isSigningIn ? 2 : 0),
      ccurl_set_text(handle, CURLOPT_MAIL_FROM, "<\(sender)>"),
      ccurl_set_list(handle, CURLOPT_MAIL_RCPT, recipients),
      ccurl_set_number(handle, CURLOPT_UPLOAD, 1),
      ccurl_set_reader(handle, Upload.read, Unmanaged.passUnretained(upload).toOpaque()),
      // The relay outlives the call that uses this pointer.
      ccurl_set_number(handle, CURLOPT_NOPROGRESS, 0),
      ccurl_set_progress(handle, Self.progress, Unmanaged.passUnretained(self).toOpaque()),
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

  /// A result other than 0 cancels the transfer. Called at least once a second.
  private static let progress: curl_xferinfo_callback = { relay, _, _, _, _ in
    guard let relay else { return 0 }
    return Unmanaged<SMTPRelay>.fromOpaque(relay).takeUnretainedValue().isStopped.load(ordering: .acquiring) ? 1 : 0
  }

  /// The mail's bytes, as libcurl reads them. Used only by the thread that performs the transfer.
  private final class Upload {
    private var rest: ArraySlice<UInt8>

    private(set) var hasBegun = false

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    static let read: curl_read_callback = { buffer, size, count, upload in
      guard let buffer, let upload else { return 0 }
      let taken = Unmanaged<Upload>.fromOpaque(upload).takeUnretainedValue().take(size * count)
      taken.withUnsafeBytes { bytes in
        UnsafeMutableRawBufferPointer(start: buffer, count: size * count).copyMemory(from: bytes)
      }
      return taken.count
    }

    private func take(_ maximum: Int) -> ArraySlice<UInt8> {
      hasBegun = true
      defer { rest = rest.dropFirst(maximum) }
      return rest.prefix(maximum)
    }
  }
}
