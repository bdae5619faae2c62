/// The complete introspection result of a schema, for tools.
package enum SchemaIntrospection {
  /// `{"__schema":…}` with all elements of the schema, including deprecated ones. This is the `data` of the response to
  /// graphql-js's `getIntrospectionQuery` with all options.
  package static func json(_ schema: Schema) throws(GraphQLError) -> [UInt8] {
    let document = try Parser.parse(Source(query, name: "introspection"), options: .trusted)
    let operation = document.firstChild(of: 0, .operationDefinition)
    guard let set = operation.flatMap({ document.firstChild(of: $0, .selectionSet) }),
      let field = document.firstChild(of: set, .field)
    else { return [] }
    var limits = PlanLimits()
    limits.introspectionBytes = .max
    let answer = try IntrospectionResult(
      to: NodeList(field),
      of: document,
      fragments: Fragments(document),
      conditions: [:],
      variables: .none,
      against: schema,
      limits: limits,
      maximumBytes: .max
    )
    var json = Array("{\"__schema\":".utf8)
    answer.append(to: &json)
    json.append(UInt8(ascii: "}"))
    return json
  }

  /// The introspection query. It selects as many levels of `ofType` as a `TypeReference` can have wrappers.
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
