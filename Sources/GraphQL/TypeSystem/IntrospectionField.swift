/// The fields of the introspection types (specification, section 4.2), by name. The meaning of a name depends on its
/// parent type.
enum IntrospectionField: String {
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
