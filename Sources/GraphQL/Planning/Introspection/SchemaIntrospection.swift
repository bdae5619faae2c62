/// A schema as introspection shows it to programs that want all of it.
package enum SchemaIntrospection {
  /// `{"__schema":…}` with everything that there is, what is deprecated included: what the query of graphql-js's
  /// `getIntrospectionQuery` with all its options answers as `data`.
  package static func json(_ schema: Schema) throws(GraphQLError) -> [UInt8] {
    let document = try Parser.parse(Source(query, name: "introspection"), options: .trusted)
    let operation = document.firstChild(of: 0, .operationDefinition)
    guard let set = operation.flatMap({ document.firstChild(of: $0, .selectionSet) }),
      let field = document.firstChild(of: set, .field)
    else { return [] }
    var limits = PlanLimits()
    limits.introspectionBytes = .max
    let answer = try IntrospectionResult(
      to: [field],
      of: document,
      fragments: Fragments(document),
      conditions: [:],
      variables: .none,
      against: schema,
      limits: limits,
      maximumBytes: .max
    )
    return Array("{\"__schema\":".utf8) + answer.bytes + Array("}".utf8)
  }

  /// Types are followed as deep as `TypeReference` wraps them.
  package static let query = """
    query IntrospectionQuery {
      __schema {
        description
        queryType { name kind }
        mutationType { name kind }
        subscriptionType { name kind }
        types { ...FullType }
        directives { name description isRepeatable locations args(includeDeprecated: true) { ...InputValue } }
      }
    }
    fragment FullType on __Type {
      kind name description specifiedByURL isOneOf
      fields(includeDeprecated: true) {
        name description
        args(includeDeprecated: true) { ...InputValue }
        type { ...TypeRef }
        isDeprecated deprecationReason
      }
      inputFields(includeDeprecated: true) { ...InputValue }
      interfaces { ...TypeRef }
      enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason }
      possibleTypes { ...TypeRef }
    }
    fragment InputValue on __InputValue {
      name description type { ...TypeRef } defaultValue isDeprecated deprecationReason
    }
    fragment TypeRef on __Type {
      kind name
      \(String(repeating: "ofType { kind name ", count: TypeReference.maximumWrappers))
      \(String(repeating: "}", count: TypeReference.maximumWrappers))
    }
    """
}
