/// A setting of the server: its name, what it means, and how its text becomes a part of the configuration. This is its
/// only declaration: the environment, the configuration file, the help and the operating guide follow from it.
package struct ServerSetting: Sendable {
  /// The option of `hearth serve` that comes before the variables.
  package let option: String?
  /// Its environment variables, several for a setting that each identity provider has.
  package let variables: [String]
  /// The default as documentation shows it.
  package let standard: String
  /// A line of Markdown.
  package let description: String
  private let apply: @Sendable (Given, inout Configuration) throws(InvalidSetting) -> Void

  private init(
    option: String?,
    variables: [String],
    _ standard: String,
    _ description: String,
    apply: @escaping @Sendable (Given, inout Configuration) throws(InvalidSetting) -> Void
  ) {
    self.option = option
    self.variables = variables
    self.standard = standard
    self.description = description
    self.apply = apply
  }

  /// - Parameter name: without `HEARTH_`.
  init(
    _ name: String,
    _ standard: String,
    _ description: String,
    apply: @escaping @Sendable (Given, inout Configuration) throws(InvalidSetting) -> Void
  ) {
    self.init(option: nil, variables: ["HEARTH_\(name)"], standard, description, apply: apply)
  }

  /// A setting that several identity providers have, each under its own name.
  init(
    providers name: String,
    of providers: [IdentityProvider] = IdentityProvider.allCases,
    _ standard: String,
    _ description: String,
    apply: @escaping @Sendable (Given, inout ProviderSettings) throws(InvalidSetting) -> Void
  ) {
    let variables = providers.map { "HEARTH_\($0.rawValue)_\(name)" }
    self.init(option: nil, variables: variables, standard, description) {
      given,
      configuration throws(InvalidSetting) in
      guard let index = variables.firstIndex(of: given.variable) else { return }
      var settings =
        configuration.identityProviders[providers[index]] ?? ProviderSettings(defaultsFor: providers[index])
      try apply(given, &settings)
      configuration.identityProviders[providers[index]] = settings
    }
  }

  /// A setting that the command reads itself: it is not a part of the configuration.
  static func option(_ option: String?, _ name: String?, _ standard: String, _ description: String) -> ServerSetting {
    ServerSetting(option: option, variables: name.map { ["HEARTH_\($0)"] } ?? [], standard, description) { _, _ in }
  }

  /// A number within a range. The default is that of `Configuration`.
  static func number<Number: FixedWidthInteger & Sendable>(
    _ name: String,
    _ property: any WritableKeyPath<Configuration, Number> & Sendable,
    in range: ClosedRange<Number>,
    _ description: String
  ) -> ServerSetting {
    ServerSetting(name, "\(Configuration()[keyPath: property])", description) {
      given,
      configuration throws(InvalidSetting) in
      if let number = try given.number(in: range) { configuration[keyPath: property] = number }
    }
  }

  /// One of the values of an enumeration. The default is that of `Configuration`.
  static func choice<Value: RawRepresentable<String> & CaseIterable & Sendable>(
    _ name: String,
    _ property: any WritableKeyPath<Configuration, Value> & Sendable,
    _ description: String
  ) -> ServerSetting {
    let values = Value.allCases.map(\.rawValue).joined(separator: " or ")
    return ServerSetting(name, Configuration()[keyPath: property].rawValue, description) {
      given,
      configuration throws(InvalidSetting) in
      guard let text = given.text else { return }
      guard let value = Value(rawValue: text) else {
        throw given.invalid("must be \(values).")
      }
      configuration[keyPath: property] = value
    }
  }

  /// Configures everything that `variables` give, by their names.
  package static func configure(
    _ configuration: inout Configuration,
    from variables: [String: String]
  ) throws(InvalidSetting) {
    for setting in all {
      for variable in setting.variables {
        try setting.apply(Given(variable: variable, textOrEmpty: variables[variable]), &configuration)
      }
    }
  }

  /// Its description and default as plain text.
  package var help: String { "\(Self.plain(description)) (\(Self.plain(standard)))" }

  /// The default as a value that can be set, or nil if it is described in words.
  package var standardValue: String? {
    let text = Self.plain(standard)
    return text == "none" || text.contains(" ") || text.contains("'") ? nil : text
  }

  /// The help of an option that a setting declares.
  package static func help(ofOption option: String) -> String {
    guard let setting = all.first(where: { $0.option == option }) else {
      preconditionFailure("No setting has the option \(option).")
    }
    let details = setting.variables + ["default: \(plain(setting.standard))"]
    return "\(plain(setting.description)) (\(details.joined(separator: "; ")))"
  }

  /// Markdown without code marks, and with the text of its links only.
  private static func plain(_ text: String) -> String {
    text.replacing(/\[([^\]]*)\]\([^)]*\)/) { $0.1 }.replacing("`", with: "")
  }
}
