/// The fields of introspection's types (specification, section 4.2), by their names. What a name means depends on the
/// type that it is a field of.
enum IntrospectionField: String, Sendable {
  case typename = "__typename"
  case args
  case defaultValue
  case deprecationReason
  case description
  case directives
  case enumValues
  case fields
  case inputFields
  case interfaces
  case isDeprecated
  case isOneOf
  case isRepeatable
  case kind
  case locations
  case mutationType
  case name
  case ofType
  case possibleTypes
  case queryType
  case specifiedByURL
  case subscriptionType
  case type
  case types
}
