import Bytes
import GraphQLTransport
import HTTP

/// The pages that links in mails lead to. All but one are for deployments whose app has none. A GET changes nothing,
/// because programs that scan mails follow their links: the form's POST executes the same mutations as an app.
struct AccountPages: Sendable {
  let appName: String
  /// See `Configuration.registrationRequires`.
  let registrationRequires: Set<String>
  let defaultLanguage: MailLanguage
  let served: Set<AccountPage>

  private static let pages = Dictionary(
    uniqueKeysWithValues: AccountPage.allCases.map { (Array("/\($0.rawValue)".utf8), $0) }
  )

  /// Nil if the server has no such page.
  func page(of request: HTTPRequest) -> AccountPage? {
    Self.pages[Array(request.path)].flatMap { served.contains($0) ? $0 : nil }
  }

  // MARK: Showing

  func response(_ page: AccountPage, to request: HTTPRequest) -> HTTPResponse {
    let parameters = request.query.flatMap { query in try? FormFields(query) }
    let language = chosenLanguage(parameters?["lang"], request: request)
    let form = form(page, in: language, parameters) { name in name == "invited" ? parameters?[name] : nil }
    return Self.response(.ok, html: PageHTML(appName: appName, language: language).page(of: form), language: language)
  }

  private func form(
    _ page: AccountPage,
    in language: MailLanguage,
    _ fields: FormFields?,
    sent: (String) -> String?
  ) -> PageForm {
    // An invitation is accepted later, so that its token is not lost in between.
    let token = page == .register ? nil : fields?["token"]
    return PageForm(page, in: language, token: token, requirements: registrationRequires, sent: sent)
  }

  /// Browsers send less than this. Reading a header of 32 KB takes 7 ms.
  private static let languageBytes = 256

  /// The language of the link or the form, or else the first of the browser's languages that exists.
  private func chosenLanguage(_ parameter: String?, request: HTTPRequest) -> MailLanguage {
    if let language = parameter.flatMap({ MailLanguage(locale: $0) }) { return language }
    let header = request.values(of: .acceptLanguage).joined(separator: [UInt8(ascii: ",")]).prefix(Self.languageBytes)
    for range in Array(header)[...].text.split(separator: ",") {
      let tag = range.prefix { $0 != ";" }.filter { !$0.isWhitespace }
      if let language = MailLanguage(locale: tag) { return language }
    }
    return defaultLanguage
  }

  // MARK: Executing

  /// Executes the form that a request contains.
  func response(_ page: AccountPage, toForm request: HTTPRequest, _ execute: PageExecution) async -> HTTPResponse {
    guard let fields = Self.oneClickFields(of: request, to: page) ?? Self.formFields(of: request) else {
      return .text(.unsupportedMediaType, text: "This page expects its own form.\n")
    }
    let language = chosenLanguage(fields["lang"], request: request)
    var submission = PageSubmission(
      form: form(page, in: language, fields) { name in fields[name] },
      fields: fields,
      texts: .texts(in: language)
    )
    let html = PageHTML(appName: appName, language: language)
    switch await submission.run(execute) {
    case .done(let title, let paragraphs):
      return Self.response(.ok, html: html.message(title: title, paragraphs), language: language)
    case .rejected: return Self.response(.badRequest, html: html.page(of: submission.form), language: language)
    case .rateLimited: return Self.response(.tooManyRequests, html: html.page(of: submission.form), language: language)
    case .failed: return Self.response(.serviceUnavailable, html: html.page(of: submission.form), language: language)
    }
  }

  /// The fields of the URL of a request by which a mail program stops invitations. The program opens the whole link,
  /// and its body says nothing more, in one of two media types (RFC 8058).
  private static func oneClickFields(of request: HTTPRequest, to page: AccountPage) -> FormFields? {
    guard page == .stopInvitations, let query = request.query, let fields = try? FormFields(query) else { return nil }
    return fields["token"] == nil ? nil : fields
  }

  /// Nil for a body that is not a form of these pages.
  private static func formFields(of request: HTTPRequest) -> FormFields? {
    let type = (request[.contentType]?.prefix(256).text ?? "").prefix { $0 != ";" }.lowercased()
    guard type.filter({ !$0.isWhitespace }) == "application/x-www-form-urlencoded" else { return nil }
    return try? FormFields(request.body)
  }

  private static func response(_ status: HTTPStatus, html: String, language: MailLanguage) -> HTTPResponse {
    var body = ByteBuffer(capacity: html.utf8.count)
    body.append(html)
    return HTTPResponse(status, headers: headers.adding(trusted: "Content-Language", language.rawValue), body: body)
  }

  private static let headers = HeaderBlock(trusted: [
    "Content-Type": "text/html; charset=utf-8",
    // The address contains a secret.
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex, nofollow",
    "Content-Security-Policy": PageHTML.securityPolicy,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Vary": "Accept-Language",
  ])
}
