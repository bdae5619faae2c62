import JSON
import Testing

@testable import GraphQL

/// The cost of the variables of a hostile request.
@Suite("Limits of variables")
struct VariableLimitTests {
  /// Coerces variables of one type, and returns them or the codes of the errors.
  private func coerce(
    _ json: String,
    to type: String,
    isList: Bool = false,
    values: Int = VariableLimits().values
  ) throws -> (values: VariableValues?, codes: [String], messages: [String]) {
    let schema = try Zoo.executable().schema
    let named = TypeReference(type: try #require(schema.type(named: type)))
    let definition = VariableDefinition(
      name: "v",
      type: isList ? named.wrappedInList : named,
      defaultValue: nil,
      location: SourceLocation(line: 1, column: 1)
    )
    let variables = VariableDefinitions([definition], in: schema)
    var limits = VariableLimits()
    limits.values = values
    do throws(GraphQLErrors) {
      return (try VariableCoercion.coerce(given(json), to: variables, in: schema, limits: limits), [], [])
    } catch {
      return (nil, error.errors.map(\.code.rawValue), error.errors.map(\.message))
    }
  }

  private func given(_ json: String) -> GivenVariables {
    do { return try givenVariables(json) } catch { preconditionFailure("\(error): \(json)") }
  }

  @Test func `values, keys and list items of declared variables count`() throws {
    // The object, two keys, a number, a list and its three items.
    let box = #"{"v":{"a":1,"b":["x","y","z"]}}"#
    #expect(try coerce(box, to: "Box", values: 8).values != nil)
    let past = try coerce(box, to: "Box", values: 7)
    #expect(past.codes == ["TOO_MANY_VARIABLE_VALUES"])
    #expect(past.messages == ["The variables have 8 values and keys. The limit is 7."])
    let others = (0..<1000).map { "\"k\($0)\":[1,2,3]" }.joined(separator: ",")
    #expect(try coerce("{\(others),\"v\":7,\"last\":{}}", to: "Int", values: 1).values?["v"]?.int == 7)
  }

  /// The values after the error beyond the limit would cause another error if they were coerced.
  @Test func `coercion stops at the first error beyond the limit`() throws {
    let wrong = Array(repeating: "\"x\"", count: 51).joined(separator: ",")
    let list = try coerce("{\"v\":[\(wrong),{\"a\":1,\"a\":1}]}", to: "Box", isList: true)
    #expect(list.codes == Array(repeating: "BAD_USER_INPUT", count: 50) + ["ERRORS_OMITTED"])
    let keys = (0..<51).map { "\"k\($0)\":1" }.joined(separator: ",")
    let objects = try coerce("{\"v\":[{\"a\":1,\(keys)},{\"a\":1,\"a\":1}]}", to: "Box", isList: true)
    #expect(objects.codes == Array(repeating: "BAD_USER_INPUT", count: 50) + ["ERRORS_OMITTED"])
  }

  @Test(arguments: [
    (#"{"v":{"a":1,"a":2}}"#, "a"), (#"{"v":{"a":1,"inner":{"a":1,"\u0061":2}}}"#, "a"),
    (#"{"v":{"a":1},"v":{"a":1}}"#, "v"), (#"{"v":{"a":1},"\u0076":null}"#, "v"),
  ])
  func `a repeated key in a declared variable is an error`(json: String, key: String) throws {
    let repeated = try coerce(json, to: "Box")
    #expect(repeated.codes == ["BAD_REQUEST"])
    #expect(repeated.messages == ["In the variables, `\(key)` is given twice."])
  }

  @Test func `a repeated key outside of declared variables is skipped`() throws {
    #expect(try coerce(#"{"x":1,"v":7,"x":{"a":1,"a":2}}"#, to: "Int").values?["v"]?.int == 7)
  }

  @Test func `errors truncate long values and names`() throws {
    // One character of 400,000 bytes.
    let marks = "a" + String(repeating: "\u{316}", count: 200_000)
    let value = try coerce("{\"v\":\"\(marks)\"}", to: "Int")
    #expect(value.codes == ["BAD_USER_INPUT"])
    let name = try coerce("{\"v\":{\"a\":1,\"\(marks)\":1}}", to: "Box")
    #expect(name.codes == ["BAD_USER_INPUT"])
    for message in value.messages + name.messages { #expect(message.utf8.count < 10_000) }
  }
}
