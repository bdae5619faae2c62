/// The limits on the variables of a request.
package struct VariableLimits: Hashable, Sendable {
  /// Scalars, list items, keys and objects in the variables that an operation declares. An address book of 5,000
  /// entries with 20,000 addresses and numbers has 55,000. Error code: `TOO_MANY_VARIABLE_VALUES`.
  package var values = 60_000
  /// Errors that are reported. Beyond this number coercion stops.
  package var errors = 50

  package init() {}
}
