import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A response whose body is read as it arrives. (`URLSession.bytes` does not exist on Linux.)
final class StreamedResponse: NSObject, URLSessionDataDelegate, Sendable {
  enum Part: Sendable {
    case head(status: Int, contentType: String)
    case bytes(Data)
  }

  /// More bytes wait than a connection may keep. (`URLSession` cannot pause a task on Linux.)
  struct SlowConsumer: Error {}

  private static let maximumBacklog = 4 * 1024 * 1024
  private let lock = NSLock()
  /// The number of bytes that have been received, but not read. Guarded by `lock`.
  nonisolated(unsafe) private var backlog = 0
  private let continuation: AsyncThrowingStream<Part, any Error>.Continuation

  private init(_ continuation: AsyncThrowingStream<Part, any Error>.Continuation) { self.continuation = continuation }

  /// The request is cancelled when the stream is no longer iterated.
  static func open(
    _ request: URLRequest
  ) -> (response: StreamedResponse, parts: AsyncThrowingStream<Part, any Error>) {
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: Part.self)
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpCookieStorage = nil
    // The server sends heartbeats more often than this.
    configuration.timeoutIntervalForRequest = 60
    configuration.timeoutIntervalForResource = .infinity
    let response = StreamedResponse(continuation)
    let session = URLSession(configuration: configuration, delegate: response, delegateQueue: nil)
    let task = session.dataTask(with: request)
    continuation.onTermination = { _ in
      task.cancel()
      session.finishTasksAndInvalidate()
    }
    task.resume()
    return (response, stream)
  }

  /// Ends the stream after the parts that have been received.
  func end() { continuation.finish() }

  func urlSession(
    _ session: URLSession,
    dataTask: URLSessionDataTask,
    didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    let http = response as? HTTPURLResponse
    let type = http?.value(forHTTPHeaderField: "Content-Type") ?? ""
    continuation.yield(.head(status: http?.statusCode ?? 0, contentType: type))
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let waiting = lock.withLock {
      backlog += data.count
      return backlog
    }
    // A part may be larger than the limit. The parts before this error are still delivered; it ends the request.
    guard waiting == data.count || waiting <= Self.maximumBacklog
    else { return continuation.finish(throwing: SlowConsumer()) }
    continuation.yield(.bytes(data))
  }

  /// Tells that bytes of the stream have been read.
  func didRead(_ count: Int) { lock.withLock { backlog -= count } }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    continuation.finish(throwing: error)
  }
}
