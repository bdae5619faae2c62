import Crypto
import Foundation

/// Writes pages. They need no script and nothing from elsewhere, and everything in them is escaped.
struct PageHTML {
  let appName: String
  let language: MailLanguage

  private var texts: PageTexts { .texts(in: language) }

  func page(of form: PageForm) -> String {
    let page = texts.texts(of: form.page)
    let mark = form.hasErrors ? "\(texts.errorMark): " : ""
    var html = "<h1>\(escaped(page.title))</h1>\n"
    html += alert(of: form)
    html += "<p>\(escaped(page.text))</p>\n"
    // Relative, so that it works below a path of a proxy, and without the link's token.
    html += "<form method=\"post\" action=\"\(form.page.rawValue)\" novalidate>\n"
    html += hidden("lang", value: language.rawValue)
    if form.isInvited { html += hidden("invited", value: "1") }
    if let token = form.token { html += hidden("token", value: token) }
    for field in form.fields { html += input(field) }
    html += "<button>\(escaped(page.button))</button>\n</form>\n"
    if form.page == .acceptInvitation {
      let query = "lang=\(language.rawValue)&amp;invited=1"
      html += "<p><a href=\"register?\(query)\">\(escaped(texts.noAccount))</a></p>\n"
    }
    return document(title: mark + page.title, html)
  }

  func message(title: String, _ paragraphs: [String]) -> String {
    let body = paragraphs.map { "<p>\(escaped($0))</p>\n" }.joined()
    return document(title: title, "<h1>\(escaped(title))</h1>\n<div role=\"status\">\n\(body)</div>\n")
  }

  /// The errors, each with a link to its field.
  private func alert(of form: PageForm) -> String {
    guard form.hasErrors else { return "" }
    var items = form.error.map { "<li>\(escaped($0))</li>" } ?? ""
    for field in form.fields {
      guard let error = field.error else { continue }
      items += "<li><a href=\"#\(field.name)\">\(escaped(field.label)): \(escaped(error))</a></li>"
    }
    return "<div class=\"errors\" role=\"alert\"><h2>\(escaped(texts.errorTitle))</h2><ul>\(items)</ul></div>\n"
  }

  private func input(_ field: PageForm.Field) -> String {
    let (name, hint, error) = (field.name, "\(field.name)-hint", "\(field.name)-error")
    let described = (field.hint == nil ? [] : [hint]) + (field.error == nil ? [] : [error])
    var attributes = "id=\"\(name)\" name=\"\(name)\" type=\"\(field.kind.rawValue)\""
    attributes += " autocomplete=\"\(field.autocomplete)\" required"
    if field.kind != .password, !field.value.isEmpty { attributes += " value=\"\(escaped(field.value))\"" }
    if !described.isEmpty { attributes += " aria-describedby=\"\(described.joined(separator: " "))\"" }
    if field.error != nil { attributes += " aria-invalid=\"true\"" }
    var html = "<label for=\"\(name)\">\(escaped(field.label))</label>\n"
    if let text = field.hint { html += "<p class=\"hint\" id=\"\(hint)\">\(escaped(text))</p>\n" }
    if let text = field.error { html += "<p class=\"error\" id=\"\(error)\">\(escaped(text))</p>\n" }
    return html + "<input \(attributes)>\n"
  }

  private func hidden(_ name: String, value: String) -> String {
    "<input type=\"hidden\" name=\"\(name)\" value=\"\(escaped(value))\">\n"
  }

  private func document(title: String, _ body: String) -> String {
    """
    <!DOCTYPE html>
    <html lang="\(language.rawValue)">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <meta name="color-scheme" content="light dark">
    <title>\(escaped(title)) – \(escaped(appName))</title>
    <style>\(Self.style)</style>
    </head>
    <body>
    <header>\(escaped(appName))</header>
    <main>
    \(body)</main>
    </body>
    </html>

    """
  }

  private func escaped(_ text: String) -> String { MailContent.escaped(text) }

  private static let style = """
    :root { color-scheme: light dark; --ink: #1c1b1a; --paper: #fbfaf8; --line: #77726b; --accent: #1d5c4b;
      --on-accent: #fff; --error: #a3231f; }
    @media (prefers-color-scheme: dark) { :root { --ink: #f1efec; --paper: #1b1a19; --line: #918b83; --accent: #8fd3bd;
      --on-accent: #10211c; --error: #ffaca6; } }
    * { box-sizing: border-box; }
    body { margin: 0 auto; max-width: 34rem; padding: 1.5rem 1rem 3rem; color: var(--ink); background: var(--paper);
      font: 1.0625rem/1.5 system-ui, sans-serif; }
    header { font-weight: 600; }
    h1 { font-size: 1.6rem; line-height: 1.25; margin: 1.5rem 0 1rem; }
    h2 { font-size: 1.0625rem; margin: 0 0 .25rem; }
    label { display: block; font-weight: 600; margin-top: 1.25rem; }
    input:not([type=hidden]) { display: block; width: 100%; margin-top: .35rem; padding: .6rem .7rem; font: inherit;
      color: inherit; background: transparent; border: 1px solid var(--line); border-radius: .4rem; }
    input[aria-invalid] { border: 2px solid var(--error); }
    button { margin-top: 1.75rem; padding: .7rem 1.2rem; font: inherit; font-weight: 600; color: var(--on-accent);
      background: var(--accent); border: 0; border-radius: .4rem; cursor: pointer; }
    a { color: var(--accent); }
    .hint { margin: 0; }
    .error { margin: .15rem 0 0; color: var(--error); font-weight: 600; }
    .errors { border: 2px solid var(--error); border-radius: .4rem; padding: .8rem 1rem; }
    .errors a { color: var(--error); }
    .errors ul { margin: 0; padding-left: 1.2rem; }
    :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
    """

  /// Allows the page's own style and its form, and nothing else.
  static let securityPolicy: String = {
    let hash = Data(SHA256.hash(data: Data(style.utf8))).base64EncodedString()
    return "default-src 'none'; style-src 'sha256-\(hash)'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
  }()
}
