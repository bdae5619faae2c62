/// The languages of mails and of the pages that their links lead to. Raw values are language tags.
package enum MailLanguage: String, CaseIterable, Sendable {
  case english = "en"
  case german = "de"
  case french = "fr"
  case spanish = "es"

  /// The language of a locale such as `de-AT`, by its first subtag; nil for another language.
  init?(locale: String) {
    self.init(rawValue: locale.prefix { $0 != "-" && $0 != "_" }.lowercased())
  }

  /// The day as it is written within a sentence.
  func text(of day: Day) -> String {
    let (year, month, number) = day.date
    let name = months[Int(month) - 1]
    return switch self {
    case .english: "\(number) \(name) \(year)"
    case .german: "\(number). \(name) \(year)"
    case .french: "\(number == 1 ? "1er" : "\(number)") \(name) \(year)"
    case .spanish: "\(number) de \(name) de \(year)"
    }
  }

  private var months: [String] {
    switch self {
    case .english:
      [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
      ]
    case .german:
      [
        "Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November",
        "Dezember",
      ]
    case .french:
      [
        "janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre",
        "décembre",
      ]
    case .spanish:
      [
        "enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre", "noviembre",
        "diciembre",
      ]
    }
  }
}
