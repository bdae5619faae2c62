import GraphQLTransport
import HTTP
import HTTPServer
import Storage

package struct ServerOptions: Sendable {
  package var host = "127.0.0.1"
  /// 0 lets the system choose a free port.
  package var port = 8080
  package var dataDirectory = "data"
  /// Nil for one per core.
  package var loops: Int?
  package var configuration = Configuration()
  package var http = HTTPServerOptions()
  package var live = LiveOptions()
  var clock = Clock.system
  /// Whether requests read in passes, though SQLite could answer at once. For tests.
  var defersReads = false

  package init() {}

  /// The options of HTTP, with the limits of the configuration.
  var httpOptions: HTTPServerOptions {
    var options = http
    options.limits.formBytes = configuration.uploadBytes
    options.limits.unadmittedBytes = configuration.anonymousBodyBytes
    options.unidentifiedMessageBytes = configuration.anonymousBodyBytes
    options.receivedBytes = configuration.receivedBytes
    options.unsentResponses = configuration.unsentResponses
    if configuration.databaseURL != nil {
      options.descriptorsPerLoop += configuration.databaseLimits.postgreSQL.connectionsPerLoop
    }
    return options
  }
}
