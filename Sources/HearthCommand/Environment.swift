import ArgumentParser
import Hearth
import Logging

/// The configuration that the environment gives, each variable with the prefix `HEARTH_`.
struct Environment {
  private let variables: [String: String]

  init(_ variables: [String: String]) throws {
    self.variables = variables
  }

  func text(_ name: String) throws -> String? {
    guard let value = variables["HEARTH_\(name)"], !value.isEmpty else { return nil }
    return value
  }

  func number(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
    guard let text = try text(name) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw ValidationError("HEARTH_\(name) must be a number from \(range.lowerBound) to \(range.upperBound).")
    }
    return number
  }

  func logLevel() throws -> Logger.Level {
    guard let text = try text("LOG_LEVEL") else { return .info }
    guard let level = Logger.Level(rawValue: text.lowercased()) else {
      throw ValidationError("HEARTH_LOG_LEVEL must be one of trace, debug, info, notice, warning, error, critical.")
    }
    return level
  }

  private func configure(_ settings: inout ProviderSettings, of provider: IdentityProvider) throws {
    let name = provider.rawValue
    if let issuers = try list("\(name)_ISSUER") { settings.issuers = issuers }
    if let url = try url("\(name)_KEYS_URL") { settings.keysURL = url }
    if let clients = try list("\(name)_CLIENT_IDS") { settings.clientIDs = clients }
    guard provider == .facebook else { return }
    if let url = try url("\(name)_GRAPH_URL") { settings.graphURL = url }
    if let secret = try text("\(name)_APP_SECRET") { settings.applicationSecret = ApplicationSecret(secret) }
  }

  /// What stands between commas.
  private func list(_ name: String) throws -> [String]? {
    try text(name)?.split(separator: ",").map { $0.filter { !$0.isWhitespace } }.filter { !$0.isEmpty }
  }

  private func url(_ name: String) throws -> WebURL? {
    guard let text = try text(name) else { return nil }
    guard let url = WebURL(text) else {
      throw ValidationError("HEARTH_\(name) must begin with https://, or with http:// where it is on this machine.")
    }
    return url
  }

  func configure(_ configuration: inout Configuration) throws {
    if let lifetime = try number("ACCESS_TOKEN_LIFETIME", in: 1...31_536_000) {
      configuration.accessTokenLifetime = Int64(lifetime)
    }
    if let required = variables["HEARTH_REGISTRATION_REQUIRES"] {
      let fields = required.split(separator: ",").map { $0.trimmingPrefix(while: \.isWhitespace) }.map(String.init)
      let known: Set = ["name", "dateOfBirth", "phone"]
      guard known.isSuperset(of: fields) else {
        throw ValidationError("HEARTH_REGISTRATION_REQUIRES may list \(known.sorted().joined(separator: ", ")).")
      }
      configuration.registrationRequires = Set(fields)
    }
    if let text = try text("INTROSPECTION") {
      guard let who = Configuration.Introspection(rawValue: text) else {
        throw ValidationError("HEARTH_INTROSPECTION must be everyone or signed-in.")
      }
      configuration.introspection = who
    }
    if let zone = try text("TIME_ZONE") {
      guard Configuration.isTimeZone(zone) else {
        throw ValidationError("HEARTH_TIME_ZONE must be a time zone of the IANA database, like Europe/Paris.")
      }
      configuration.timeZone = zone
    }
    if let days = try number("PARENT_REMOVAL_DAYS", in: 1...90) {
      configuration.parentRemovalDays = Int64(days)
    }
    if let region = try text("PHONE_REGION") {
      guard Configuration.isPhoneRegion(region) else {
        throw ValidationError("HEARTH_PHONE_REGION must be a country's code of two letters, like US.")
      }
      configuration.phoneRegion = region.uppercased()
    }
    if let header = try text("CLIENT_ADDRESS_HEADER") { configuration.clientAddressHeader = header.lowercased() }
    for provider in IdentityProvider.allCases {
      var settings = ProviderSettings(defaultsFor: provider)
      try configure(&settings, of: provider)
      configuration.identityProviders[provider] = settings
    }
    if let cost = try number("PASSWORD_COST", in: 10...20) { configuration.passwordCost = cost }
    if let text = try text("MAIL") {
      guard let destination = MailDestination(text) else {
        // What was given may have a password in it.
        throw ValidationError("HEARTH_MAIL must be like file:DIR or smtp://[user:password@]host:port.")
      }
      configuration.mail = destination
    }
    if let bytes = try number("PICTURE_BYTES", in: 1024...1 << 30) { configuration.pictureBytes = bytes }
    if let pixels = try number("PICTURE_PIXELS", in: 1...1 << 40) { configuration.picturePixels = pixels }
    if let bytes = try number("UPLOAD_BYTES", in: 1024...1 << 30) { configuration.uploadBytes = bytes }
    if let bytes = try number("UPLOAD_BYTES_IN_FLIGHT", in: 1024...1 << 40) {
      configuration.uploadBytesInFlight = bytes
    }
    if let bytes = try number("ANONYMOUS_BODY_BYTES", in: 1024...1 << 20) { configuration.anonymousBodyBytes = bytes }
    if let bytes = try number("BODY_BYTES_IN_FLIGHT", in: 1 << 20...1 << 40) { configuration.bodyBytesInFlight = bytes }
    if let bytes = try number("MIN_FREE_BYTES", in: 0...1 << 50) { configuration.minimumFreeBytes = bytes }
    if let sender = try text("MAIL_SENDER") {
      guard Configuration.isAddress(sender) else {
        throw ValidationError("HEARTH_MAIL_SENDER must be an e-mail address.")
      }
      configuration.mailSender = sender
    }
    if let list = try text("ALLOWED_ORIGINS") {
      let origins = list.split(separator: ",").map { $0.filter { !$0.isWhitespace } }
      guard origins.allSatisfy({ $0 == "*" || $0.wholeMatch(of: /https?:\/\/[^\/\s]+/) != nil }) else {
        throw ValidationError("HEARTH_ALLOWED_ORIGINS must list origins as https://app.example.com, or be *.")
      }
      configuration.allowedOrigins = Set(origins)
    }
    configuration.trustedDocuments = try text("TRUSTED_DOCUMENTS") ?? configuration.trustedDocuments
    if let text = try text("ACCEPTED_DOCUMENTS") {
      guard let accepted = Configuration.AcceptedDocuments(rawValue: text),
        accepted == .any || configuration.trustedDocuments != nil
      else {
        throw ValidationError(
          "HEARTH_ACCEPTED_DOCUMENTS must be any, or trusted where HEARTH_TRUSTED_DOCUMENTS is given."
        )
      }
      configuration.acceptedDocuments = accepted
    }
    if let count = try number("CONNECTIONS_PER_PERSON", in: 1...1_000_000) {
      configuration.connectionsPerPerson = count
    }
    if let size = try number("BATCH_SIZE", in: 1...100) { configuration.batchSize = size }
    try configureLimits(&configuration)
    if let address = try text("PUBLIC_URL") {
      configuration.publicURL = address.hasSuffix("/") ? String(address.dropLast()) : address
    }
  }
}
