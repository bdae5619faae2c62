import EventLoop
import GraphQL
import HTTP
import Synchronization

@testable import GraphQLTransport

/// A client that records the numbers of the news that it receives, and how its subscription ends.
final class RecordingSink: SubscriptionSink {
  private struct State {
    var received: [String] = []
    var isBehind = false
  }

  private let state = Mutex(State())
  private let didReceive: @Sendable (String) -> Void
  var received: [String] { state.withLock { $0.received } }
  var isBehind: Bool { state.withLock { $0.isBehind } }

  /// - Parameter didReceive: Called on the loop with each number.
  init(_ didReceive: @escaping @Sendable (String) -> Void = { _ in }) { self.didReceive = didReceive }

  /// Sets whether the client is a slow consumer at present.
  func setBehind(_ isBehind: Bool) { state.withLock { $0.isBehind = isBehind } }

  func receive(_ response: SubscriptionResponse) {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    let number = String(
      decoding: response.json.drop { !digits.contains($0) }.prefix { digits.contains($0) },
      as: UTF8.self
    )
    state.withLock { $0.received.append(number) }
    didReceive(number)
  }

  func subscriptionDidEnd(with errors: [GraphQLError]) {
    state.withLock { $0.received.append("end" + errors.map { " \($0.code.rawValue)" }.joined()) }
  }
}

extension GraphQLHandler<NewsService> {
  /// Starts a subscription to news.
  ///
  /// - Parameter position: Where the subscription to `kept` news resumes; nil for `news`.
  func subscribe(
    _ sink: RecordingSink,
    token: String = "ada",
    after position: Int64? = nil
  ) async throws -> Subscription {
    let request =
      position.map { #"{"query":"subscription { kept { number } }","extensions":{"position":"\#($0)"}}"# }
      ?? #"{"query":"subscription { news { number } }"}"#
    var parser = RequestParser()
    Array("GET /graphql HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer \(token)\r\n\r\n".utf8).withUnsafeBytes {
      parser.receive($0)
    }
    guard case .request(let handshake) = parser.next(ParserMemory()) else { throw BadRequestError("No handshake.") }
    let caller = Caller(handshake, keepsRequest: false)
    let outcome: OperationOutcome
    switch begin(try GraphQLRequest.read(json: Array(request.utf8)[...]), from: caller, into: sink) {
    case .done(let done): outcome = done
    case .pending(let pending): outcome = await finish(pending)
    }
    guard case .subscription(let subscription) = outcome else { throw BadRequestError("This is not a subscription.") }
    subscription.start()
    return subscription
  }

  /// Publishes news that are not kept.
  func publish(_ number: Int64) {
    hub.publish(SourceEvent(NewsDesk.News(number: number, text: "")), to: Topic("news"))
  }

  /// Keeps news and publishes them with their number as the position.
  func publishKept(_ number: Int64, on desk: NewsDesk) {
    let news = NewsDesk.News(number: number, text: "")
    desk.keep(news)
    hub.publish(SourceEvent(news, position: number), to: Topic("news"))
  }
}
