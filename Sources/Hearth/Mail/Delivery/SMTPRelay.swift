import CCurl
import Synchronization

/// Hands mails to a server by SMTP (RFC 5321), encrypted where the server offers it (STARTTLS, RFC 3207), and always
/// where there is a password.
final class SMTPRelay: MailTransport {
  private let server: SMTPServer
  /// A file of certificates to trust; the system's where nil.
  private let authorities: String?
  private let isStopped = Atomic<Bool>(false)

  /// In seconds.
  private static let connectionTimeout = 20
  private static let timeout = 120

  init(_ server: SMTPServer, authorities: String? = nil) {
    self.server = server
    self.authorities = authorities
  }

  /// Breaks off what is being sent, and all that would be.
  func stop() { isStopped.store(true, ordering: .releasing) }

  func send(_ message: Message, sequence _: Int64) throws(MailFailure) {
    guard Curl.isReady, let handle = curl_easy_init() else {
      throw MailFailure(description: "libcurl could not be started.")
    }
    defer { curl_easy_cleanup(handle) }
    let recipients = curl_slist_append(nil, "<\(message.to.address)>")
    defer { curl_slist_free_all(recipients) }
    // The handle holds plain pointers to these: they live until it has performed.
    let upload = Upload(message.bytes)
    try withExtendedLifetime(upload) { () throws(MailFailure) in
      let options = configure(handle, from: message.from.address, recipients, upload)
      guard options.allSatisfy({ $0 == CURLE_OK }) else {
        throw MailFailure(description: "libcurl does not support a required option.")
      }
      let result = curl_easy_perform(handle)
      guard result == CURLE_OK else {
        // What the server has written may name addresses: only its code is told.
        let code = ccurl_response_code(handle)
        throw MailFailure(
          description: "\(String(cString: curl_easy_strerror(result))) (SMTP \(code))",
          isPermanent: Self.isPermanent(result, code, hasBegun: upload.hasBegun)
        )
      }
    }
  }

  /// Whether the server has refused this mail for good (RFC 5321, section 4.2.1): what is wrong with the connection, or
  /// with how we sign in, somebody may yet set right.
  private static func isPermanent(_ result: CURLcode, _ code: Int, hasBegun: Bool) -> Bool {
    let aboutSigningIn = [530, 534, 535, 538]
    guard (500...599).contains(code), !aboutSigningIn.contains(code) else { return false }
    // The first is what libcurl makes of an answer to MAIL, RCPT and DATA; any other comes after the mail itself.
    return result == CURLE_SEND_ERROR || hasBegun
  }

  private func configure(
    _ handle: UnsafeMutableRawPointer,
    from sender: String,
    _ recipients: UnsafeMutablePointer<curl_slist>?,
    _ upload: Upload
  ) -> [CURLcode] {
    let isSigningIn = server.password != nil
    var options = [
      ccurl_set_text(handle, CURLOPT_URL, server.url),
      ccurl_set_number(handle, CURLOPT_USE_SSL, Int((isSigningIn ? CURLUSESSL_ALL : CURLUSESSL_TRY).rawValue)),
      // Encryption that is only taken where offered guards against listeners, not against who can take the offer away:
      // so there a certificate that nobody vouches for, as a machine's own mail server has, is better than none.
      ccurl_set_number(handle, CURLOPT_SSL_VERIFYPEER, isSigningIn ? 1 : 0),
      ccurl_set_number(handle, CURLOPT_SSL_VERIFYHOST, isSigningIn ? 2 : 0),
      ccurl_set_text(handle, CURLOPT_MAIL_FROM, "<\(sender)>"),
      ccurl_set_list(handle, CURLOPT_MAIL_RCPT, recipients),
      ccurl_set_number(handle, CURLOPT_UPLOAD, 1),
      ccurl_set_reader(handle, Upload.read, Unmanaged.passUnretained(upload).toOpaque()),
      // The relay itself outlives the call that it is in.
      ccurl_set_number(handle, CURLOPT_NOPROGRESS, 0),
      ccurl_set_progress(handle, Self.progress, Unmanaged.passUnretained(self).toOpaque()),
      ccurl_set_number(handle, CURLOPT_CONNECTTIMEOUT, Self.connectionTimeout),
      ccurl_set_number(handle, CURLOPT_TIMEOUT, Self.timeout),
      // Timeouts without signals: there are other threads.
      ccurl_set_number(handle, CURLOPT_NOSIGNAL, 1),
      // Mail goes where it is told to, whatever the environment says of proxies.
      ccurl_set_text(handle, CURLOPT_PROXY, ""),
    ]
    if let user = server.user, let password = server.password {
      options.append(ccurl_set_text(handle, CURLOPT_USERNAME, user))
      options.append(ccurl_set_text(handle, CURLOPT_PASSWORD, password))
    }
    if let authorities { options.append(ccurl_set_text(handle, CURLOPT_CAINFO, authorities)) }
    return options
  }

  /// Other than 0 breaks the transfer off. Called at least once a second.
  private static let progress: curl_xferinfo_callback = { relay, _, _, _, _ in
    guard let relay else { return 0 }
    return Unmanaged<SMTPRelay>.fromOpaque(relay).takeUnretainedValue().isStopped.load(ordering: .acquiring) ? 1 : 0
  }

  /// The mail, as libcurl takes it bit by bit. Used on the one thread that performs.
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
