import GraphQL

/// How a field is resolved, with the types of the object and the values erased.
enum FieldResolver<Context: Sendable>: Sendable {
  case value(@Sendable (any Sendable, FieldRequest<Context>) throws -> any Sendable)
  case asyncValue(@Sendable (any Sendable, FieldRequest<Context>) async throws -> any Sendable)
  /// A root field of a mutation, whose resolver is not cancelled with its request.
  case mutation(@Sendable (FieldRequest<Context>) async throws -> any Sendable)
  /// The values of all objects, or the errors of some; nil for an object that has no value, which is null or an empty
  /// list.
  case batch(@Sendable ([any Sendable], FieldRequest<Context>) async throws -> [Result<(any Sendable)?, any Error>])
  /// The same with a loader. All fields of a level give it their keys before the first one awaits the values.
  case loaded(@Sendable ([any Sendable], FieldRequest<Context>) throws -> DeferredResults<(any Sendable)?>)
}

/// Begins the sequence of a subscription's events.
typealias EventSequence<Context: Sendable> = @Sendable (FieldRequest<Context>) async throws -> sending EventReader

/// Returns the next event of a sequence; nil after the last one.
package typealias EventReader = () async throws -> (any Sendable)?

/// A resolver with the types of its field in the schema.
struct ResolverBinding<Context: Sendable>: Sendable {
  let resolver: FieldResolver<Context>
  let field: DeclaredField
  /// That of the directives that are applied to the field or its type; nil without any.
  let check: FieldCheck<Context>?
  let types: ObjectTypes
  let scalars: ScalarTypes
  /// Whether the field's type is a list, which is empty for an object that has no value.
  let isList: Bool

  /// The request for a resolver, after the checks. Every resolver has one, also a property.
  func request(
    _ arguments: Arguments,
    in context: any ExecutionContext,
    selecting selection: SelectedFields? = nil
  ) throws -> FieldRequest<Context> {
    try field.checkSizes(in: arguments)
    let request = FieldRequest<Context>(
      try .of(context),
      arguments: arguments,
      of: field,
      scalars: scalars,
      selection: selection
    )
    try check?(request)
    return request
  }

  /// The call of a mutation's resolver, in a task of its own.
  private func call(
    _ resolve: @escaping @Sendable (FieldRequest<Context>) async throws -> any Sendable,
    with arguments: Arguments,
    in context: any ExecutionContext,
    selecting selection: SelectedFields? = nil
  ) throws -> @Sendable () async throws -> any Sendable {
    let request = try request(arguments, in: context, selecting: selection)
    let tasks = try ResolverContext<Context>.of(context).mutations
    return { try await tasks.run { try await resolve(request) } }
  }

  // MARK: Leaves

  var leaf: FieldBinding {
    switch resolver {
    case .value(let resolve):
      .leaf(needs: []) { view in
        try LeafValue(of: try resolve(view.object, try request(view.arguments, in: view.context)), scalars)
      }
    case .asyncValue(let resolve):
      .asyncLeaves(needs: []) { views, context in
        guard let arguments = views.first?.arguments else { return { [] } }
        let request = try request(arguments, in: context)
        let objects = views.map(\.object)
        return {
          await concurrently(objects) { try await resolve($0, request) }
            .map { value in Result { try LeafValue(of: try value.get(), scalars) } }
        }
      }
    case .mutation(let resolve):
      .asyncLeaves(needs: []) { views, context in
        // The root object is the only one.
        guard let arguments = views.first?.arguments else { return { [] } }
        let call = try call(resolve, with: arguments, in: context)
        return { [.success(try LeafValue(of: try await call(), scalars))] }
      }
    case .batch(let load):
      .asyncLeaves(needs: []) { views, context in
        guard let arguments = views.first?.arguments else { return { [] } }
        let request = try request(arguments, in: context)
        let objects = views.map(\.object)
        return { try await load(objects, request).map(leafValue) }
      }
    case .loaded(let start):
      .asyncLeaves(needs: []) { views, context in
        guard let arguments = views.first?.arguments else { return { [] } }
        let values = try start(views.map(\.object), try request(arguments, in: context))
        return { try await values().map(leafValue) }
      }
    }
  }

  private func leafValue(of value: Result<(any Sendable)?, any Error>) -> Result<LeafValue, any Error> {
    Result { try value.get().map { try LeafValue(of: $0, scalars) } ?? (isList ? .list([]) : .null) }
  }

  // MARK: Objects

  var objects: FieldBinding {
    switch resolver {
    case .value(let resolve):
      .load(needs: []) { batch, context in
        let request = try request(batch.arguments, in: context, selecting: batch.selection)
        for parent in 0..<batch.count {
          let object = batch.view(parent, in: context).object
          add(Result { try resolve(object, request) }, parent: parent, batch: &batch, in: context)
        }
      }
    case .asyncValue(let resolve):
      .asyncObjects(needs: []) { batch, context in
        let request = try request(batch.arguments, in: context, selecting: batch.selection)
        let objects = objects(of: batch, in: context)
        return {
          await concurrently(objects) { try await resolve($0, request) }
            .map { value in Result { try types.resolved(try value.get()) } }
        }
      }
    case .mutation(let resolve):
      .asyncObjects(needs: []) { batch, context in
        let call = try call(resolve, with: batch.arguments, in: context, selecting: batch.selection)
        return { [.success(try types.resolved(try await call()))] }
      }
    case .batch(let load):
      .asyncObjects(needs: []) { batch, context in
        let request = try request(batch.arguments, in: context, selecting: batch.selection)
        let objects = objects(of: batch, in: context)
        return { try await load(objects, request).map(resolvedValue) }
      }
    case .loaded(let start):
      .asyncObjects(needs: []) { batch, context in
        let request = try request(batch.arguments, in: context, selecting: batch.selection)
        let values = try start(objects(of: batch, in: context), request)
        return { try await values().map(resolvedValue) }
      }
    }
  }

  private func resolvedValue(of value: Result<(any Sendable)?, any Error>) -> Result<ResolvedValue?, any Error> {
    Result { try value.get().map { try types.resolved($0) } }
  }

  private func objects(of batch: borrowing Batch, in context: any ExecutionContext) -> [any Sendable] {
    var objects: [any Sendable] = []
    objects.reserveCapacity(batch.count)
    for parent in 0..<batch.count { objects.append(batch.view(parent, in: context).object) }
    return objects
  }

  private func add(
    _ value: Result<any Sendable, any Error>,
    parent: Int,
    batch: inout Batch,
    in context: any ExecutionContext
  ) {
    do {
      batch.add(parent, resolved: try types.resolved(try value.get()))
    } catch {
      batch.fail(parent, with: context.clientError(for: error, at: field.coordinate))
    }
  }
}

/// Calls an asynchronous function for all objects concurrently.
private func concurrently(
  _ objects: [any Sendable],
  _ resolve: @escaping @Sendable (any Sendable) async throws -> any Sendable
) async -> [Result<any Sendable, any Error>] {
  if objects.count == 1 { return [await result(of: objects[0], resolve)] }
  return await withTaskGroup(of: (Int, Result<any Sendable, any Error>).self) { group in
    for (index, object) in objects.enumerated() {
      group.addTask { (index, await result(of: object, resolve)) }
    }
    var results = [Result<any Sendable, any Error>?](repeating: nil, count: objects.count)
    for await (index, result) in group { results[index] = result }
    return results.compactMap(\.self)
  }
}

private func result(
  of object: any Sendable,
  _ resolve: @Sendable (any Sendable) async throws -> any Sendable
) async -> Result<any Sendable, any Error> {
  do {
    return .success(try await resolve(object))
  } catch {
    return .failure(error)
  }
}

extension ObjectView {
  /// The Swift value of the object; `()` for the root types.
  fileprivate var object: any Sendable { value(as: (any Sendable).self) ?? () }
}
