/// A value that `ParameterBuffer.init` takes. Statements of requests append their parameters one by one instead, since
/// existential values cost more.
package protocol ServerValue {
  func append(to parameters: inout ParameterBuffer)
}

extension Int64: ServerValue {
  package func append(to parameters: inout ParameterBuffer) { parameters.append(self) }
}

extension String: ServerValue {
  package func append(to parameters: inout ParameterBuffer) { parameters.append(self) }
}

extension ParameterBuffer {
  package init(_ values: any ServerValue...) {
    self.init()
    for value in values { value.append(to: &self) }
  }
}
