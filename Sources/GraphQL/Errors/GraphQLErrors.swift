/// The request errors of a request (specification, section 7.1.1). The request is not executed, and its response has no
/// data.
package struct GraphQLErrors: Error, Sendable {
  package let errors: [GraphQLError]
  package init(_ errors: [GraphQLError]) { self.errors = errors }
}
