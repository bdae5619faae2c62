/// How much the variables of one request can ask of coercion.
package struct VariableLimits: Hashable, Sendable {
  /// Scalars, list items, keys and objects of the variables that an operation declares. An address book of 5,000
  /// entries with 20,000 addresses and numbers has 55,000. Past it: `TOO_MANY_VARIABLE_VALUES`.
  package var values = 60_000
  /// Errors that are reported, past which coercion ends.
  package var errors = 50

  package init() {}
}
