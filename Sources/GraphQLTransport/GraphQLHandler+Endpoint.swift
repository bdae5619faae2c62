import Bytes
import EventLoop
import GraphQL
import HTTP
import HTTPServer
import JSON

/// Handles requests to the GraphQL endpoint (GraphQL over HTTP).
extension GraphQLHandler {
  func answerAtEndpoint(_ request: HTTPRequest) -> HTTPAnswer {
    switch request.method {
    case .post: return answerPost(request)
    case .get, .head:
      if request.query == nil { return .response(options.files.page(for: request) ?? Rejection.noQuery(request)) }
      return answerGet(request)
    case .options: return .response(Rejection.methods)
    case .other: return .response(Rejection.unknownMethod(request))
    }
  }

  /// GraphQL over HTTP, section 5.4.
  @inline(__always)
  private func answerPost(_ request: HTTPRequest) -> HTTPAnswer {
    guard let wanted = accepted.wanted(by: request) else { return .response(Rejection.notAcceptable) }
    if request.isJSON {
      // An event stream carries one operation.
      let isList = options.batchSize > 1 && wanted.format != nil && RequestBody.isList(request.body)
      return isList ? readAndRun(.list, of: request, as: wanted) : answerOperation(request, as: wanted)
    }
    guard let form = request.form else { return .response(Rejection.unsupportedMediaType(in: wanted.singleFormat)) }
    guard request.hasPreflightHeader else { return .response(Rejection.noPreflightHeader(in: wanted.singleFormat)) }
    return readAndRun(.form(form), of: request, as: wanted)
  }

  /// GraphQL over HTTP, section 5.3: queries only.
  private func answerGet(_ request: HTTPRequest) -> HTTPAnswer {
    guard let wanted = accepted.wanted(by: request) else { return .response(Rejection.notAcceptable) }
    do {
      return run(try GraphQLRequest(form: FormFields(request.query ?? [])), of: request, as: wanted)
    } catch let error as BadRequestError {
      return reject(error, of: request, in: wanted.singleFormat)
    } catch {
      return reject(BadRequestError("\(error)", isMalformedText: true), of: request, in: wanted.singleFormat)
    }
  }

  /// The common case, a small body with one request, avoids boxing in `RequestContent`.
  @inline(__always)
  func answerOperation(
    _ request: HTTPRequest,
    as wanted: WantedResponse,
    purpose: RequestOrigin.Purpose = .execution
  ) -> HTTPAnswer {
    guard request.bodyLength <= LargeRequest.bytes || options.workers == nil else {
      return readAndRun(.operation, of: request, as: wanted, purpose: purpose)
    }
    do throws(BadRequestError) {
      let document = try GraphQLRequest.document(in: request.body, &json)
      let answer = run(try GraphQLRequest.read(document.root), of: request, as: wanted, purpose: purpose)
      json.keep(consume document)
      return answer
    } catch {
      return reject(error, of: request, in: wanted.singleFormat)
    }
  }

  /// Reads a body, on a worker thread if it is large, and executes its requests.
  private func readAndRun(
    _ body: RequestBody,
    of request: HTTPRequest,
    as wanted: WantedResponse,
    purpose: RequestOrigin.Purpose = .execution
  ) -> HTTPAnswer {
    guard let workers = options.workers, request.body.count > LargeRequest.bytes else {
      do throws(BadRequestError) {
        return runContent(try body.read(request.body), of: request, as: wanted, purpose: purpose)
      } catch {
        return reject(error, of: request, in: wanted.singleFormat)
      }
    }
    let lane = WorkLane(service.network(of: request, peer: request.peer))
    return .deferred { request in
      do {
        let content = try await workers.run(in: lane) { try body.read(request.body) }
        return await self.runContent(content, of: request, as: wanted, purpose: purpose)
      } catch let error as BadRequestError {
        return await self.reject(error, of: request, in: wanted.singleFormat)
      } catch {
        return .response(Rejection.notExecuted(.unavailable(.overloaded), in: wanted.singleFormat))
      }
    }
  }

  private func runContent(
    _ content: RequestContent,
    of request: HTTPRequest,
    as wanted: WantedResponse,
    purpose: RequestOrigin.Purpose
  ) -> HTTPAnswer {
    switch content {
    case .operation(let asked, let files): return run(asked, files: files, of: request, as: wanted, purpose: purpose)
    case .list(let list):
      return .deferred { request in await self.runBatch(list, of: request, in: wanted.singleFormat) }
    }
  }

  private func run(
    _ asked: GraphQLRequest,
    files: [UploadedFile] = [],
    of request: HTTPRequest,
    as wanted: WantedResponse,
    purpose: RequestOrigin.Purpose = .execution
  ) -> HTTPAnswer {
    if wanted.eventStream {
      guard let isSubscription = wanted.prefersEventStream ? true : runner.isSubscription(asked) else {
        return .deferred { request in
          await self.runWhenPrepared(asked, files: files, of: request, as: wanted)
        }
      }
      if isSubscription { return openEventStream(asked, files: files, of: request) }
    }
    return execute(asked, files: files, of: request, as: wanted, purpose: purpose)
  }

  /// Runs a request whose client accepts event streams and JSON, and whose document takes long to prepare.
  private func runWhenPrepared(
    _ asked: GraphQLRequest,
    files: [UploadedFile],
    of request: HTTPRequest,
    as wanted: WantedResponse
  ) async -> HTTPAnswer {
    let network = service.network(of: request, peer: request.peer)
    return await runner.isSubscription(asked, for: network, isIncremental: wanted.incremental != nil)
      ? openEventStream(asked, files: files, of: request)
      : execute(asked, files: files, of: request, as: wanted, purpose: .execution)
  }

  @inline(__always)
  private func execute(
    _ asked: GraphQLRequest,
    files: [UploadedFile],
    of request: HTTPRequest,
    as wanted: WantedResponse,
    purpose: RequestOrigin.Purpose
  ) -> HTTPAnswer {
    let known = purpose == .validation ? nil : runner.knownOperation(of: asked)
    // A constant response does not depend on the caller. Only operations without variables have one. A long one takes
    // the way of other operations, which charges the caller for its bytes.
    if request.method == .post, !asked.wantsTrace,
      let response = wanted.singleFormat.constantResponse(of: known, to: request),
      response.body.count <= runner.throttle.freeBytes
    {
      options.metrics.count(.request)
      runner.observeConstant(known, bytes: response.body.count, of: request, from: service.address(of: request))
      return .response(response)
    }
    guard known?.type != .query, request.has(.idempotencyKey) else {
      return begin(asked, known: known, files: files, of: request, as: wanted, purpose: purpose)
    }
    var asked = asked
    asked.adoptIdempotencyKey(of: request)
    return begin(asked, known: known, files: files, of: request, as: wanted, purpose: purpose)
  }

  @inline(__always)
  private func begin(
    _ asked: GraphQLRequest,
    known: PreparedOperation?,
    files: [UploadedFile],
    of request: HTTPRequest,
    as wanted: WantedResponse,
    purpose: RequestOrigin.Purpose
  ) -> HTTPAnswer {
    let origin = runner.makeOrigin(
      of: request,
      caller: caller(of: request),
      purpose: purpose,
      files: files,
      isByGet: request.method != .post,
      incremental: wanted.incremental,
      isMeasured: asked.wantsTrace
    )
    switch runner.begin(asked, known: known, from: origin) {
    case .done(let outcome):
      return response(for: outcome, to: request, as: wanted, purpose: purpose, measurement: origin.measurement)
    case .pending(let pending): return .deferred { request in await self.finish(pending, of: request, as: wanted) }
    }
  }

  private func finish(
    _ pending: PendingRequest<Service>,
    of request: HTTPRequest,
    as wanted: WantedResponse
  ) async -> HTTPAnswer {
    let outcome = await runner.finish(pending)
    return response(
      for: outcome,
      to: request,
      as: wanted,
      purpose: pending.origin.purpose,
      measurement: pending.origin.measurement
    )
  }

  private func response(
    for outcome: consuming OperationOutcome,
    to request: HTTPRequest,
    as wanted: WantedResponse,
    purpose: RequestOrigin.Purpose,
    measurement: RequestMeasurement?
  ) -> HTTPAnswer {
    let (format, report) = (wanted.singleFormat, measurement?.report)
    switch consume outcome {
    case .response(let body):
      if purpose == .validation { return .response(Rejection.validated(body, report: report)) }
      return respond(with: body, to: request, in: format, report: report)
    case .kept(let held): return .response(response(repeating: held, to: request, in: format))
    case .parts(let parts):
      return .stream(MultipartFormat.headers(for: wanted.incremental ?? .current), MultipartResponse(parts, on: loop))
    case .failure(let failure):
      if purpose == .validation {
        switch failure {
        case .rejected, .callerRejected:
          return .response(Rejection.validated(ErrorResponse.bytes(failure.errors)))
        case .mutationByGet, .unavailable, .cancelled, .internalError: break
        }
      }
      return .response(Rejection.notExecuted(failure, in: format))
    // The runner rejects subscriptions without a sink.
    case .subscription: return .response(Rejection.notExecuted(.internalError, in: format))
    }
  }

  /// Sends the response of a request, or of a list of requests; one that is large after work on a worker thread.
  func respond(
    with body: consuming ByteBuffer,
    to request: HTTPRequest,
    in format: ResponseFormat,
    report: RequestMeasurement.Report? = nil
  ) -> HTTPAnswer {
    guard body.count > ResponseFormat.maximumBytesOnLoop, let workers = options.workers else {
      return .response(format.answer(body, to: request, compressedBy: gzip, report: report))
    }
    let lane = WorkLane(service.network(of: request, peer: request.peer))
    return compressOffLoop(LargeResponse(body, to: request, in: format, report: report), by: workers, in: lane)
  }

  /// Sends the response to an earlier request again.
  private func response(
    repeating held: ResponseCache.HeldEntry,
    to request: HTTPRequest,
    in format: ResponseFormat
  ) -> HTTPResponse {
    format.answer(
      sharedBody: held.response,
      to: request,
      hash: runner.responses.hash(of: held),
      compressed: runner.responses.compressedResponse(of: held, by: gzip)
    )
  }

  /// Rejects a request whose text cannot be read, or that is not a GraphQL request, and records it.
  func reject(_ error: BadRequestError, of request: HTTPRequest, in format: ResponseFormat) -> HTTPAnswer {
    let response = Rejection.badRequest(error, in: format)
    runner.observeMalformed(from: service.address(of: request), bytes: response.body.count)
    return .response(response)
  }

  /// A large response is compressed, and gets its entity tag, on a worker thread. If the queue of workers is full, the
  /// response is sent without both.
  private func compressOffLoop(
    _ long: LargeResponse,
    by workers: WorkerPool,
    in lane: WorkLane
  ) -> HTTPAnswer {
    .deferred(holding: long.byteCount) { _ in
      // The only errors are those of work that was not done.
      try? await workers.runUnlessCancelled(in: lane) { long.finish() }
      return .response(long.takeResponse())
    }
  }
}
