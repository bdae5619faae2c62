import Foundation

/// A name that is safe to show in a mail. Users choose their names and cause mails to others, so a safe name does not
/// become a link, hide text, or change how the text around it reads.
enum SafeName {
  /// Returns nil when nothing is left of the name.
  static func text(_ name: String) -> String? {
    let words = visible(name).split(whereSeparator: \.isWhitespace).compactMap { word(String($0)) }
    let text = words.joined(separator: " ")
    return text.contains { $0.isLetter || $0.isNumber || $0.isSymbol } ? text : nil
  }

  /// Without control characters and invisible format characters, such as those that change the direction of text. The
  /// joiners are kept: Persian and composed emoji need them.
  private static func visible(_ name: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in name.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: scalars.append(" ")
      case .format where scalar == "\u{200C}" || scalar == "\u{200D}": scalars.append(scalar)
      case .format, .privateUse, .surrogate, .unassigned: continue
      default: scalars.append(scalar)
      }
    }
    return String(scalars)
  }

  private static let schemes = ["mailto:", "tel:", "sms:", "data:", "javascript:"]

  /// The word as it is shown; nil when mail programs would turn it into a link.
  private static func word(_ word: String) -> String? {
    // Programs treat full-width letters and dots in addresses like ASCII, and ignore joiners.
    let plain = String(word.unicodeScalars.filter { $0 != "\u{200C}" && $0 != "\u{200D}" })
      .precomposedStringWithCompatibilityMapping.replacing("\u{3002}", with: ".")
    let folded = plain.lowercased()
    guard !folded.contains("://"), !folded.contains("www."), !schemes.contains(where: folded.contains) else {
      return nil
    }
    let runs = plain.split { !($0.isLetter || $0.isNumber || "-_.".contains($0)) }.map { run in
      run.split(separator: ".", omittingEmptySubsequences: false)
    }
    guard runs.contains(where: isDomain) else { return word }
    // "St.John" is a name: with a space it is not an address.
    let isName = runs.count == 1 && runs[0].allSatisfy { $0.isEmpty || isCapitalized($0) }
    return isName && plain == word ? word.replacing(".", with: ". ").trimmingSuffix { $0 == " " } : nil
  }

  /// Whether a label is followed by one of at least two characters with a letter, or the labels are an IPv4 address.
  private static func isDomain(_ labels: [Substring]) -> Bool {
    zip(labels, labels.dropFirst()).contains { label, next in
      !label.isEmpty && next.count >= 2 && next.contains(where: \.isLetter)
    } || (labels.count == 4 && labels.allSatisfy { UInt8($0) != nil })
  }

  private static func isCapitalized(_ label: Substring) -> Bool {
    label.first?.isUppercase == true && label.dropFirst().allSatisfy { $0.isLowercase || $0 == "-" || $0.isUppercase }
      && (label.count == 1 || label.dropFirst().contains(where: \.isLowercase))
  }
}

extension String {
  fileprivate func trimmingSuffix(while matches: (Character) -> Bool) -> String {
    var text = self
    while let last = text.last, matches(last) { text.removeLast() }
    return text
  }
}
