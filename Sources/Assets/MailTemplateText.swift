import CAssets
import CPlayground

/// The texts of mails in the languages of the program, as files of templates.
package enum MailTemplateText {
  /// Empty if CAssets.c lacks the language, which a test detects.
  package static func bytes(of language: String) -> [UInt8] {
    for index in 0..<mail_template_file_count {
      let file = CAssets.mail_template_file(index)
      if file.name == language { return file.content }
    }
    return []
  }
}
