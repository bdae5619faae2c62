import Assets
import Foundation

/// Why the templates of an operator cannot be used.
struct UnusableTemplates: Error {
  let sentence: String
}

/// The texts of all mails in all languages: those of the program, or of the operator.
package struct MailTemplates: Sendable {
  private var templates: [MailLanguage: [MailKind: MailTemplate]]

  /// The templates of the program.
  package static let standard: MailTemplates = {
    var all = MailTemplates(templates: [:])
    for language in MailLanguage.allCases {
      do throws(InvalidTemplate) {
        let text = String(decoding: MailTemplateText.bytes(of: language.rawValue), as: UTF8.self)
        all.templates[language] = try MailTemplateFile(text).templates
      } catch {
        preconditionFailure(
          "The templates \(language.rawValue).txt are not valid, line \(error.line): \(error.sentence)"
        )
      }
    }
    return all
  }()

  private init(templates: [MailLanguage: [MailKind: MailTemplate]]) { self.templates = templates }

  /// Replaces the templates that files of a folder contain. Each is named after its language, as `de.txt`.
  ///
  /// - Throws: `UnusableTemplates` with the file, the line and what is wrong there.
  init(folder: String) throws(UnusableTemplates) {
    self = .standard
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      throw UnusableTemplates(sentence: "The folder \(folder) cannot be read.")
    }
    for name in names.sorted() where name.hasSuffix(".txt") && !name.hasPrefix(".") {
      let path = "\(folder)/\(name)"
      guard let language = MailLanguage(rawValue: String(name.dropLast(4))) else {
        let possible = MailLanguage.allCases.map { "\($0.rawValue).txt" }.joined(separator: ", ")
        throw UnusableTemplates(sentence: "\(path): The name of a file with templates is one of \(possible).")
      }
      guard let data = FileManager.default.contents(atPath: path), let text = String(bytes: data, encoding: .utf8)
      else {
        throw UnusableTemplates(sentence: "\(path) cannot be read as text in UTF-8.")
      }
      do throws(InvalidTemplate) {
        templates[language, default: [:]].merge(try MailTemplateFile(text).templates) { $1.withStop(of: $0) }
      } catch {
        throw UnusableTemplates(sentence: "\(path):\(error.line): \(error.sentence)")
      }
    }
  }

  func content(of kind: MailKind, values: [MailPlaceholder: String], in language: MailLanguage) -> MailContent {
    guard let template = templates[language]?[kind] else {
      preconditionFailure("There is no template of \(kind) in \(language).")
    }
    return template.content(with: values, in: language)
  }

  /// Whether there is a text of the mail in the language.
  func contains(_ kind: MailKind, in language: MailLanguage) -> Bool { templates[language]?[kind] != nil }

  /// The file of the program with the templates in a language, as a basis for an operator's own.
  package static func text(in language: MailLanguage) -> String {
    String(decoding: MailTemplateText.bytes(of: language.rawValue), as: UTF8.self)
  }
}
