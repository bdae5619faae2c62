import Bytes
import EventLoop
import GraphQL
import HTTP
import HTTPServer

/// GraphQL over HTTP: what becomes of a request to the endpoint.
extension GraphQLHandler {
  func answerAtEndpoint(_ request: HTTPRequest) -> HTTPAnswer {
    switch request.method {
    case .post: return answerPost(request)
    case .get, .head:
      if request.query == nil { return .response(files.page(for: request) ?? Refusal.noQuery(request)) }
      return answerGet(request)
    case .options: return .response(Refusal.methods)
    case .other: return .response(Refusal.unknownMethod(request.methodText))
    }
  }

  /// GraphQL over HTTP, section 5.4.
  @inline(__always)
  private func answerPost(_ request: HTTPRequest) -> HTTPAnswer {
    guard let wanted = WantedResponse(acceptedBy: request) else { return .response(Refusal.notAcceptable) }
    if request.isJSON {
      // An event stream has one operation.
      let isList = batchSize > 1 && wanted.format != nil && RequestBody.isList(request.body)
      return isList ? answer(reading: .list, of: request, wanted) : answerOperation(request, wanted)
    }
    guard let format = wanted.format else { return .response(Refusal.notAcceptable) }
    guard let form = request.form else { return .response(Refusal.unsupportedMediaType(format)) }
    guard request.hasPreflightHeader else { return .response(Refusal.noPreflightHeader(format)) }
    return answer(reading: .form(form), of: request, wanted)
  }

  /// GraphQL over HTTP, section 5.3: queries only.
  private func answerGet(_ request: HTTPRequest) -> HTTPAnswer {
    guard let wanted = WantedResponse(acceptedBy: request) else { return .response(Refusal.notAcceptable) }
    do {
      return run(try GraphQLRequest(form: FormFields(request.query ?? [])), of: request, wanted)
    } catch let error as MalformedRequest {
      return .response(Refusal.badRequest(error.message, wanted.errorFormat))
    } catch {
      return .response(Refusal.badRequest("\(error)", wanted.errorFormat))
    }
  }

  /// The common case, a small body with one request, is not boxed in `RequestContent`.
  @inline(__always)
  func answerOperation(_ request: HTTPRequest, _ wanted: WantedResponse) -> HTTPAnswer {
    let body = request.body
    guard body.count <= LargeRequest.bytes || workers == nil else {
      return answer(reading: .operation, of: request, wanted)
    }
    do throws(MalformedRequest) {
      return run(try GraphQLRequest(json: body), of: request, wanted)
    } catch {
      return .response(Refusal.badRequest(error.message, wanted.errorFormat))
    }
  }

  /// Reads a body, on another thread where it is large, and answers what it contains.
  private func answer(reading body: RequestBody, of request: HTTPRequest, _ wanted: WantedResponse) -> HTTPAnswer {
    guard let workers, request.body.count > LargeRequest.bytes else {
      do throws(MalformedRequest) {
        return run(try body.read(request.body), of: request, wanted)
      } catch {
        return .response(Refusal.badRequest(error.message, wanted.errorFormat))
      }
    }
    let lane = WorkLane(service.network(of: request, peer: request.peer))
    return .deferred {
      do {
        let content = try await workers.run(in: lane) { try body.read(request.body) }
        return await self.run(content, of: request, wanted)
      } catch let error as MalformedRequest {
        return .response(Refusal.badRequest(error.message, wanted.errorFormat))
      } catch {
        return .response(Refusal.notExecuted(.overloaded, wanted.errorFormat))
      }
    }
  }

  private func run(_ content: RequestContent, of request: HTTPRequest, _ wanted: WantedResponse) -> HTTPAnswer {
    switch content {
    case .operation(let asked, let files): return run(asked, files, of: request, wanted)
    case .list(let list): return .deferred { await self.run(list, of: request, wanted.errorFormat) }
    }
  }

  private func run(
    _ asked: GraphQLRequest,
    _ files: [UploadedFile] = [],
    of request: HTTPRequest,
    _ wanted: WantedResponse
  ) -> HTTPAnswer {
    if wanted.eventStream {
      guard let isSubscription = wanted.format == nil ? true : runner.isSubscription(asked) else {
        return .deferred { await self.runWhenPrepared(asked, files, of: request, wanted) }
      }
      if isSubscription { return openEventStream(asked, of: request) }
    }
    return execute(asked, files, of: request, wanted)
  }

  /// Runs a request whose client takes event streams and JSON, and whose document takes long to prepare.
  private func runWhenPrepared(
    _ asked: GraphQLRequest,
    _ files: [UploadedFile],
    of request: HTTPRequest,
    _ wanted: WantedResponse
  ) async -> HTTPAnswer {
    let network = service.network(of: request, peer: request.peer)
    return await runner.isSubscription(asked, for: network)
      ? openEventStream(asked, of: request) : execute(asked, files, of: request, wanted)
  }

  @inline(__always)
  private func execute(
    _ asked: GraphQLRequest,
    _ files: [UploadedFile],
    of request: HTTPRequest,
    _ wanted: WantedResponse
  ) -> HTTPAnswer {
    let known = wanted.isValidation ? nil : runner.knownOperation(of: asked)
    // A response that is the same for everybody does not depend on the caller. It is of operations without variables.
    if let known, request.method == .post,
      let response = wanted.errorFormat.constantAnswer(of: known, to: request)
    {
      metrics.count(.request)
      return .response(response)
    }
    let origin = RequestOrigin<Service>(
      caller: Caller(request, address: service.address(of: request), keepsRequest: Service.keepsRequest),
      purpose: wanted.isValidation ? .validation : .execution,
      files: files,
      isReadOnly: request.method != .post
    )
    switch runner.begin(asked, known, from: origin) {
    case .done(let outcome): return answer(with: outcome, to: request, wanted)
    case .pending(let pending): return .deferred { await self.finish(pending, of: request, wanted) }
    }
  }

  private func finish(
    _ pending: PendingRequest<Service>,
    of request: HTTPRequest,
    _ wanted: WantedResponse
  ) async -> HTTPAnswer {
    answer(with: await runner.finish(pending), to: request, wanted)
  }

  private func answer(
    with outcome: consuming OperationOutcome,
    to request: HTTPRequest,
    _ wanted: WantedResponse
  ) -> HTTPAnswer {
    let format = wanted.errorFormat
    switch consume outcome {
    case .response(let body):
      if wanted.isValidation { return .response(Refusal.validated(body)) }
      guard body.count > ResponseFormat.maximumBytesOnLoop else { return .response(format.answer(body, to: request)) }
      return answerOffLoop(LongAnswer(body, to: request, format))
    case .failure(let failure):
      if wanted.isValidation, case .refused(let errors) = failure {
        return .response(Refusal.validated(ErrorResponse.bytes(errors.errors)))
      }
      return .response(Refusal.notExecuted(failure, format))
    // The runner refuses subscriptions that have no sink.
    case .subscription: return .response(Refusal.notExecuted(.internalError, format))
    }
  }

  /// A long response is compressed, or given its tag, on another thread. Where that has no room it is sent as it is.
  private func answerOffLoop(_ long: LongAnswer) -> HTTPAnswer {
    .deferred {
      _ = await self.runOffLoop { long.finish() }
      return .response(long.takeResponse())
    }
  }

  private func runOffLoop(_ work: @escaping @Sendable () -> Void) async -> Bool { await service.runOffLoop(work) }
}
