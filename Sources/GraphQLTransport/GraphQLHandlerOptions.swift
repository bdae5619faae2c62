import EventLoop
import GraphQL
import HTTP

/// What the handlers of all loops have in common: the options of GraphQL over HTTP, and what the loops share.
package struct GraphQLHandlerOptions: Sendable {
  /// The path of GraphQL over HTTP.
  package var path = "/graphql"
  package var files: StaticFiles
  package var documents = StoredDocuments()
  package var crossOrigin = CrossOrigin()
  /// The maximum number of requests in a batch.
  package var batchSize = 1
  package var limits = RequestLimits()
  package var metrics: Metrics
  /// Nil if requests are not logged.
  package var log: RequestLog?
  /// Nil if requests are not traced.
  package var tracing: (any RequestTracing)?
  package var connectionCounts = ConnectionCounts()
  /// The size limit of bodies of anonymous callers, for the error message.
  package var unadmittedBytes = HTTPLimits().unadmittedBytes
  /// Whether the endpoint reads longer bodies from callers with a valid access token.
  package var admitsLongBodies = true
  /// For large requests, variables, documents and responses; nil takes them on the loop.
  package var workers: WorkerPool?
  package var throttle = LoopThrottle.Limits()
  package var responses = ResponseCacheOptions()
  /// The limits of WebSockets and event streams.
  package var live = LiveOptions()

  package init(files: StaticFiles, metrics: Metrics) {
    self.files = files
    self.metrics = metrics
  }
}
