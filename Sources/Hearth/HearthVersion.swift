/// The version of this program. This is its only declaration: `hearth --version`, the manual page and the packages take
/// it from here, and a test compares it with CHANGELOG.md.
package enum HearthVersion {
  package static let current = "0.2.0"
}
