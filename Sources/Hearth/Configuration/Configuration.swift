import GraphQL
import HTTPServer
import Storage

/// What a deployment may decide.
package struct Configuration: Sendable {
  /// Seconds for which an access token is good.
  package var accessTokenLifetime: Int64 = 15 * 60
  /// Seconds after which a session that is not used ends, where it is to be remembered.
  package var sessionLifetime: Int64 = 180 * 86_400
  /// The same where it is not.
  package var shortSessionLifetime: Int64 = 86_400
  /// What a registration must have beside address and password, by the names of `RegisterInput`'s fields.
  package var registrationRequires: Set<String> = ["name", "dateOfBirth"]
  /// The base-2 logarithm of scrypt's cost.
  package var passwordCost = 15
  /// Days until the requested removal of a parent takes effect, unless they object.
  package var parentRemovalDays: Int64 = 7
  /// The time zone of a new family.
  package var timeZone = "UTC"
  /// Where phone numbers without a country's code are from, as a code of ISO 3166-1.
  package var phoneRegion = "US"
  /// The address under which the server is reached from outside; by default the one that each request names.
  package var publicURL: String?
  /// The origins, as `https://app.example.com`, whose pages may read answers; `*` for all.
  package var allowedOrigins: Set<String> = []
  /// A folder of `.graphql` files, or a manifest, of documents that requests may name; nil where there are none.
  package var trustedDocuments: String?
  package enum AcceptedDocuments: String, Sendable, CaseIterable { case any, trusted }

  /// Which documents are executed.
  package var acceptedDocuments = AcceptedDocuments.any
  /// The most WebSockets and event streams that one person may have open.
  package var connectionsPerPerson = 100
  /// The most requests that one body may have.
  package var batchSize = 1
  /// Percent of a loop's time that a caller gets whose requests take long on it.
  package var callerShare = 5
  /// What one request may cost.
  package var limits = RequestLimits()
  /// What one request may read, and write.
  package var database = DatabaseLimits()
  /// Where mails go; by default to a folder beneath the data directory.
  package var mail: MailDestination?
  /// Whom mails are from; by default an address that nobody has.
  package var mailSender = "hearth@localhost"
  package enum Introspection: String, Sendable, CaseIterable {
    case everyone
    case signedIn = "signed-in"
  }

  /// Who may look at the schema by introspection, and is told "Did you mean" in errors.
  package var introspection = Introspection.everyone
  /// The most bytes and pixels that a picture may have.
  package var pictureBytes = 10 * 1024 * 1024
  package var picturePixels = 50_000_000
  /// The most bytes of a request with files, and of all of them that are being received.
  package var uploadBytes = 25 * 1024 * 1024
  package var uploadBytesInFlight = 128 * 1024 * 1024
  /// The most bytes of a body, or of a WebSocket's message, of a caller without a valid access token.
  package var anonymousBodyBytes = 64 * 1024
  /// The most bytes of all requests that are being received or wait to be answered, those with files among them.
  package var bodyBytesInFlight = 256 * 1024 * 1024
  /// The most bytes of all responses that clients do not read as fast as they come.
  package var responseBytesInFlight = 256 * 1024 * 1024
  /// Bytes that must be free on the disk for `/ready` to say so.
  package var minimumFreeBytes = 64 * 1024 * 1024
  /// Whether to start without a write-ahead log that is missing, and so without what was stored last.
  package var acceptsLostLog = false
  /// Threads that work on passwords, and how many may wait for them.
  package var passwordThreads = 1
  package var passwordQueue = 64

  /// How each provider's tokens are told; those without a client id are not set up.
  package var identityProviders = Dictionary(
    uniqueKeysWithValues: IdentityProvider.allCases.map { ($0, ProviderSettings(defaultsFor: $0)) }
  )
  /// The header, in lower case, in which a proxy in front of the server says who asks; nil where there is no proxy.
  package var clientAddressHeader: String?

  package init() {}
}

extension Configuration {
  /// One network has a quarter, and one person twice what a request with files has, but not more than half. Each can
  /// send one such request in any case.
  var receivedBytes: ByteLimits {
    var limits = ByteLimits()
    limits.total = bodyBytesInFlight
    limits.forms = uploadBytesInFlight
    limits.person = max(min(2 * uploadBytes, bodyBytesInFlight / 2), uploadBytes + (1 << 16))
    limits.network = max(bodyBytesInFlight / 4, limits.person)
    return limits
  }

  /// One network has a quarter, and at least two responses.
  var unsentResponses: ByteLimits {
    var limits = ByteLimits()
    limits.total = responseBytesInFlight
    limits.network = max(responseBytesInFlight / 4, 2 * self.limits.responseBytes)
    return limits
  }
}
