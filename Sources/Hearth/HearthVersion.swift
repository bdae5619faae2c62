/// The version of this program. This is its only declaration: `hearth --version`, the manual page and the packages take
/// it from here, and a test compares it with CHANGELOG.md.
package enum HearthVersion {
  package static let current = "0.2.0"
  /// A time before the release, in milliseconds since 1970: 1 November 2026. A clock that shows an earlier one is
  /// wrong.
  static let earliestTime: Int64 = 1_793_491_200_000
}
