import ArgumentParser

extension ClosedRange<Int> {
  /// Checks the value of an option.
  ///
  /// - Parameters:
  ///   - value: nil if the option is not given.
  ///   - option: the name of the option, without its hyphens.
  /// - Throws: `ValidationError` with the range if the value is outside of it.
  func validate(_ value: Int?, ofOption option: String) throws {
    guard let value, !contains(value) else { return }
    throw ValidationError("--\(option) must be from \(lowerBound) to \(upperBound).")
  }
}
