import GraphQL
import GraphQLTransport
import HTTPServer
import Storage

/// The configuration of a server.
package struct Configuration: Sendable {
  /// Lifetime of an access token in seconds.
  package var accessTokenLifetime: Int64 = 15 * 60
  /// Seconds of inactivity after which a remembered session ends.
  package var sessionLifetime: Int64 = 180 * 86_400
  /// The fields of `RegisterInput` that are required in addition to address and password.
  package var registrationRequires: Set<String> = ["name", "dateOfBirth"]
  /// Whether every chore that is added needs a picture.
  package var choresRequirePicture = false
  /// Whether the schema has the fields of a Federation subgraph.
  package var isSubgraph = false
  /// The base-2 logarithm of scrypt's cost.
  package var passwordCost = 15
  /// Days until the requested removal of a parent takes effect, unless they object.
  package var parentRemovalDays: Int64 = 7
  /// The time zone of a new family.
  package var timeZone = "UTC"
  /// The region of phone numbers without a country calling code, as an ISO 3166-1 code.
  package var phoneRegion = "US"
  /// The public URL of the server. By default that of each request, and in mails that at which the server listens.
  package var publicURL: String?
  /// The origins whose pages may read responses, such as `https://app.example.com`; `*` for all.
  package var allowedOrigins: Set<String> = []
  /// A folder of `.graphql` files, or a manifest, with the trusted documents that requests can name; nil if there are
  /// none.
  package var trustedDocuments: String?
  package enum AcceptedDocuments: String, Sendable, CaseIterable { case any, trusted }

  /// The documents that are executed.
  package var acceptedDocuments = AcceptedDocuments.any
  /// The maximum number of open WebSockets and event streams per person. A family has five times as many.
  package var connectionsPerPerson = 100
  /// The maximum number of requests in one body.
  package var batchSize = 1
  /// The percentage of a loop's time that a family with slow requests gets, or a network without a session.
  package var callerShare = 5
  /// Limits on the cost of a request.
  package var limits = RequestLimits()
  /// The URL of the PostgreSQL database with the data; nil: a SQLite file in the data folder.
  package var databaseURL: String?
  /// How processes on the same PostgreSQL database learn that others have written.
  package var databaseHints = DatabaseHints.notify
  /// Whether a PostgreSQL server is used although it can lose commits when it crashes, as with `fsync = off`.
  package var allowsUnsafeDatabase = false
  /// Limits on what one request can read and write.
  package var databaseLimits = DatabaseLimits()
  /// The destination of mail. By default a folder in the data folder.
  package var mail: MailDestination?
  /// The sender address of mail. The default is not a deliverable address.
  package var mailSender = "hearth@localhost"
  /// The name of the app, as mails and pages show it.
  package var appName = "Hearth"
  /// The URL of the app, which links in mails lead to, without a slash at its end. By default they lead to the server's
  /// own pages.
  package var appURL: String?
  /// The texts of mails.
  package var mailTemplates = MailTemplates.standard
  /// The language of mails and notifications of people who have chosen none, and of pages for browsers without one.
  package var defaultLanguage = MailLanguage.english
  /// How notifications leave the server.
  package var push = PushSettings()

  package enum Introspection: String, Sendable, CaseIterable {
    case everyone
    case signedIn = "signed-in"
  }

  /// Who may use introspection and receives "Did you mean" suggestions in errors.
  package var introspection = Introspection.everyone
  /// Who can ask for the times and the statements of their own requests.
  package enum RequestTimes: Sendable, Equatable {
    case nobody, signedIn
    /// The members with these ids.
    case people(Set<String>)
  }

  /// Nil means the default: see `requestTimes(inDemonstration:)`.
  package var requestTimes: RequestTimes?
  /// The maximum size of a picture in bytes and pixels.
  package var pictureBytes = 10 * 1024 * 1024
  package var picturePixels = 50_000_000
  /// The maximum size in bytes of all stored sizes of pictures, and of all copies of pictures in a PostgreSQL
  /// database; 0 if pictures are only served as they are.
  package var pictureCacheBytes = 1 << 30
  /// The program that scales pictures when it is started with `PictureScaling.command`; nil for none.
  package var scalingProgram: String?
  /// The maximum size in bytes of a request with files, and of all such requests in flight.
  package var uploadBytes = 25 * 1024 * 1024
  package var uploadBytesInFlight = 128 * 1024 * 1024
  /// The maximum size in bytes of a body or a WebSocket message from a caller without a valid access token.
  package var anonymousBodyBytes = 64 * 1024
  /// The maximum size in bytes of all requests that are being received or wait for execution, including those with
  /// files.
  package var bodyBytesInFlight = 256 * 1024 * 1024
  /// The maximum number of unsent bytes of all large responses.
  package var responseBytesInFlight = 256 * 1024 * 1024
  /// The maximum number of bytes of the responses that each loop keeps to send them again; 0 keeps none.
  package var responseCacheBytes = 16 * 1024 * 1024
  /// The number of free bytes on the disk that `/ready` requires.
  package var minimumFreeBytes = 64 * 1024 * 1024
  /// Whether to start although the write-ahead log is missing, and with it the latest transactions.
  package var acceptsLostLog = false
  /// Whether queued mails, pushes and webhooks are sent. A copy of the data would send those of the original again.
  package var delivers = true
  /// Whether an empty data folder is filled for a demonstration.
  package var isDemonstration = false

  /// Which requests are logged.
  package var requestLog = RequestLog.Options()
  /// Where traces and metrics are sent.
  package var telemetry = TelemetrySettings()
  /// Whether mutations are rejected.
  package var isReadOnly = false

  /// How the tokens of each provider are verified. Providers without a client id are disabled.
  package var identityProviders = Dictionary(
    uniqueKeysWithValues: IdentityProvider.allCases.map { ($0, ProviderSettings(defaultsFor: $0)) }
  )
  /// The lower-case name of the header in which a reverse proxy sends the client's address; nil without a proxy.
  package var clientAddressHeader: String?

  package init() {}
}

extension Configuration {
  /// Who can ask for the times of their own requests, given whether the data is that of the demonstration: by default
  /// callers who are signed in to a demonstration, and none otherwise.
  func requestTimes(inDemonstration isDemonstration: Bool) -> RequestTimes {
    requestTimes ?? (isDemonstration ? .signedIn : .nobody)
  }

  /// Whether the database measures each statement. It is opened before it is known whether the data folder of a
  /// demonstration holds other data.
  var measuresStatements: Bool {
    requestLog.slowNanoseconds != nil || requestTimes(inDemonstration: isDemonstration) != .nobody
  }

  /// The kind of the database, as traces name it.
  var databaseSystem: StaticString { databaseURL == nil ? "sqlite" : "postgresql" }

  /// The maximum number of bytes that a request with files holds while it is received, with its head.
  var heldUploadBytes: Int { uploadBytes + (1 << 16) }

  /// One network can have a quarter of all bytes in flight. One person can have twice the maximum request with files,
  /// but at most half of all. Each can always send one such request to an idle server, whose totals have room for it
  /// (`ServerSetting.configure`).
  var receivedBytes: ByteLimits {
    var limits = ByteLimits()
    limits.total = bodyBytesInFlight
    limits.forms = uploadBytesInFlight
    limits.person = max(min(2 * uploadBytes, bodyBytesInFlight / 2), heldUploadBytes)
    limits.network = max(bodyBytesInFlight / 4, limits.person)
    return limits
  }

  /// The share of one network is a quarter, and at least two responses of the maximum size.
  var unsentResponses: ByteLimits {
    var limits = ByteLimits()
    limits.total = responseBytesInFlight
    limits.network = max(responseBytesInFlight / 4, 2 * self.limits.execution.responseBytes)
    return limits
  }
}
