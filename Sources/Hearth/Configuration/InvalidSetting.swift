/// Why the text of a setting is not valid, as a sentence that names the variable.
package struct InvalidSetting: Error {
  package let message: String

  package init(_ message: String) { self.message = message }
}
