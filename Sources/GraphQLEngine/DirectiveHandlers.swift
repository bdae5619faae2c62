import GraphQL

extension GraphQLSchema {
  /// Checks the requests for fields that have a directive of the schema, before their resolvers.
  ///
  /// ```swift
  /// // directive @auth(requires: Role!) on FIELD_DEFINITION | OBJECT
  /// struct Auth: Decodable { let requires: Role }
  ///
  /// schema.directive("auth", Auth.self) { auth, request in
  ///   guard request.context.role >= auth.requires else { throw GraphQLError("Not allowed.", code: "FORBIDDEN") }
  /// }
  /// ```
  ///
  /// A directive on an object type is one on each of its fields, and is checked before those on the field itself. A
  /// field of the subscription type is checked when a subscription begins, and again for each event.
  ///
  /// The schema's own directives need a handler, or `ignoreDirective(_:)`: otherwise, an applied one is an error of the
  /// start. One with a handler can be applied to object types and their fields only.
  ///
  /// - Parameters:
  ///   - name: The name of the directive in the schema, without `@`.
  ///   - type: A Swift type for the directive's arguments. They are decoded when an engine or a server is made of the
  ///     schema, so arguments that it cannot represent are an error of the start.
  ///   - check: Called for each request for the field, and for a field that is resolved at once for each object. An
  ///     error that it throws is the error of the field, whose resolver is not called. It must not block.
  public mutating func directive<Arguments: Decodable & Sendable>(
    _ name: String,
    _ type: Arguments.Type,
    check: @escaping @Sendable (Arguments, FieldRequest<Context>) throws -> Void
  ) {
    let handler: DirectiveHandler<Context> = { value, references in
      let arguments = try InputDecoder(value: value, codingPath: [], references: references).decode(type)
      return { request in try check(arguments, request) }
    }
    directives[name, default: []].append(handler)
  }

  /// Accepts a directive of the schema that does nothing on the server, such as one for other tools.
  ///
  /// - Parameter name: The name of the directive in the schema, without `@`.
  public mutating func ignoreDirective(_ name: String) { ignoredDirectives.insert(name) }
}

/// What is done before a field's resolver is called. An error that it throws is the error of the field.
typealias FieldCheck<Context: Sendable> = @Sendable (FieldRequest<Context>) throws -> Void

/// Makes the check of an applied directive from its arguments, or throws because they cannot be decoded.
typealias DirectiveHandler<Context: Sendable> =
  @Sendable (_ arguments: InputValue, InputReferences) throws -> FieldCheck<Context>
