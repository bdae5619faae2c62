import GraphQL

/// A setting of the server: its name, its meaning, and how its text is applied to the configuration. This is its only
/// declaration. The environment, the configuration file, the help and the operating guide derive from it.
package struct ServerSetting: Sendable {
  /// The corresponding option of `hearth serve`, which takes precedence over the variables.
  package let option: String?
  /// Its environment variables. A setting of identity providers has one for each provider.
  package let variables: [String]
  /// The default, as shown in the documentation.
  package let standard: String
  /// A line of Markdown.
  package let description: String
  private let apply: @Sendable (Given, inout Configuration) throws(InvalidSetting) -> Void

  private init(
    option: String?,
    variables: [String],
    default standard: String,
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
    default standard: String,
    _ description: String,
    apply: @escaping @Sendable (Given, inout Configuration) throws(InvalidSetting) -> Void
  ) {
    self.init(option: nil, variables: ["HEARTH_\(name)"], default: standard, description, apply: apply)
  }

  /// A setting of several identity providers, with a variable for each.
  init(
    providers name: String,
    of providers: [IdentityProvider] = IdentityProvider.allCases,
    default standard: String,
    _ description: String,
    apply: @escaping @Sendable (Given, inout ProviderSettings) throws(InvalidSetting) -> Void
  ) {
    let variables = providers.map { "HEARTH_\($0.rawValue)_\(name)" }
    self.init(option: nil, variables: variables, default: standard, description) {
      given,
      configuration throws(InvalidSetting) in
      guard let index = variables.firstIndex(of: given.variable) else { return }
      var settings =
        configuration.identityProviders[providers[index]] ?? ProviderSettings(defaultsFor: providers[index])
      try apply(given, &settings)
      configuration.identityProviders[providers[index]] = settings
    }
  }

  /// A setting that the command itself reads. It is not part of the configuration.
  static func option(
    _ option: String?,
    variable name: String?,
    default standard: String,
    _ description: String
  ) -> ServerSetting {
    ServerSetting(option: option, variables: name.map { ["HEARTH_\($0)"] } ?? [], default: standard, description) {
      _,
      _ in
    }
  }

  /// A number within a range. The default is that of `Configuration`.
  static func number<Number: FixedWidthInteger & Sendable>(
    _ name: String,
    property: any WritableKeyPath<Configuration, Number> & Sendable,
    in range: ClosedRange<Number>,
    _ description: String
  ) -> ServerSetting {
    ServerSetting(name, default: "\(Configuration()[keyPath: property])", description) {
      given,
      configuration throws(InvalidSetting) in
      if let number = try given.number(in: range) { configuration[keyPath: property] = number }
    }
  }

  /// `yes` or `no`; `true` and `false` mean the same. The default is that of `Configuration`.
  static func flag(
    _ name: String,
    property: any WritableKeyPath<Configuration, Bool> & Sendable,
    _ description: String
  ) -> ServerSetting {
    ServerSetting(name, default: Configuration()[keyPath: property] ? "`yes`" : "`no`", description) {
      given,
      configuration throws(InvalidSetting) in
      guard let text = given.text else { return }
      switch text {
      case "yes", "true": configuration[keyPath: property] = true
      case "no", "false": configuration[keyPath: property] = false
      default: throw given.invalid("must be yes or no.")
      }
    }
  }

  /// One of the values of an enumeration. The default is that of `Configuration`.
  static func choice<Value: RawRepresentable<String> & CaseIterable & Sendable>(
    _ name: String,
    property: any WritableKeyPath<Configuration, Value> & Sendable,
    _ description: String
  ) -> ServerSetting {
    let values = Value.allCases.map(\.rawValue).joined(separator: " or ")
    return ServerSetting(name, default: Configuration()[keyPath: property].rawValue, description) {
      given,
      configuration throws(InvalidSetting) in
      guard let text = given.text else { return }
      guard let value = Value(rawValue: text) else {
        throw given.invalid("must be \(values).")
      }
      configuration[keyPath: property] = value
    }
  }

  /// Applies all settings that `variables` contain, by their names, and checks those that exclude each other.
  package static func configure(
    _ configuration: inout Configuration,
    from variables: [String: String]
  ) throws(InvalidSetting) {
    for setting in all {
      for variable in setting.variables {
        try setting.apply(Given(variable: variable, textOrEmpty: variables[variable]), &configuration)
      }
    }
    guard !configuration.isSubgraph || configuration.acceptedDocuments == .any else {
      throw InvalidSetting(
        "HEARTH_ACCEPTED_DOCUMENTS must be any, as HEARTH_SUBGRAPH is yes: a gateway sends documents of its own, "
          + "and trusted documents belong there."
      )
    }
    try requireRoom(in: configuration)
  }

  /// Checks that the totals have room for one request with files, and for one response, of the maximum size. Without
  /// it, even an idle server would reject them.
  private static func requireRoom(in configuration: Configuration) throws(InvalidSetting) {
    let (upload, response) = (configuration.uploadBytes, configuration.limits.execution.responseBytes)
    let held = configuration.heldUploadBytes
    let totals: [(name: String, bytes: Int, minimum: Int, reason: String)] = [
      ("UPLOAD_BYTES_IN_FLIGHT", configuration.uploadBytesInFlight, held, "HEARTH_UPLOAD_BYTES is \(upload)"),
      ("BODY_BYTES_IN_FLIGHT", configuration.bodyBytesInFlight, held, "HEARTH_UPLOAD_BYTES is \(upload)"),
      (
        "RESPONSE_BYTES_IN_FLIGHT", configuration.responseBytesInFlight, response,
        "HEARTH_MAX_RESPONSE_BYTES is \(response)"
      ),
    ]
    for total in totals where total.bytes < total.minimum {
      throw InvalidSetting("HEARTH_\(total.name) must be at least \(total.minimum), as \(total.reason).")
    }
  }

  /// Checks that each variable that begins with `HEARTH_` is a setting, so that a misspelt limit is not ignored.
  ///
  /// - Throws: `InvalidSetting` that names the first other variable, and the settings with similar names.
  package static func requireDeclared(_ variables: some Sequence<String>) throws(InvalidSetting) {
    let declared = Set(all.flatMap(\.variables)).union(variablesOfClients)
    let prefix = "HEARTH_"
    let unknown = variables.filter { $0.hasPrefix(prefix) && !declared.contains($0) }.sorted()
    guard let first = unknown.first else { return }
    // All names would be similar with the prefix that they share.
    let names = declared.sorted().map { String($0.dropFirst(prefix.count)) }
    let similar = Suggestions.list(for: String(first.dropFirst(prefix.count)), among: names).map { prefix + $0 }
    throw InvalidSetting("\(first) is not a setting.\(Suggestions.didYouMean("", suggestions: similar))")
  }

  /// Variables that the playground's code snippets read, and that a developer may therefore have exported.
  private static let variablesOfClients: Set = ["HEARTH_TOKEN"]

  /// The description and the default as plain text.
  package var help: String { "\(plainDescription) (\(Self.plain(standard)))" }

  /// The description without what refers to a section of the documentation, which a terminal does not show.
  private var plainDescription: String { Self.plain(description.replacing(/[:;] see \[[^\]]*\]\([^)]*\)/, with: "")) }

  /// The default as a value that can be set, or nil if it is described in words.
  package var standardValue: String? {
    let text = Self.plain(standard)
    return text == "none" || text.contains(" ") || text.contains("'") ? nil : text
  }

  /// The help text of an option of the command.
  package static func help(ofOption option: String) -> String {
    "\(declaration(ofOption: option).plainDescription) \(variablesAndDefault(ofOption: option))"
  }

  /// The end of the help text of an option of the command, such as `(HEARTH_DATA; default: data)`.
  package static func variablesAndDefault(ofOption option: String) -> String {
    let setting = declaration(ofOption: option)
    let details = setting.variables + ["default: \(plain(setting.standard))"]
    return "(\(details.joined(separator: "; ")))"
  }

  private static func declaration(ofOption option: String) -> ServerSetting {
    guard let setting = all.first(where: { $0.option == option }) else {
      preconditionFailure("No setting has the option \(option).")
    }
    return setting
  }

  /// Removes code marks from Markdown, and replaces links by their texts.
  private static func plain(_ text: String) -> String {
    text.replacing(/\[([^\]]*)\]\([^)]*\)/) { $0.1 }.replacing("`", with: "")
  }
}
