/// The request errors of a request: it is not executed, and its response has no data (section 7.1.1).
package struct GraphQLErrors: Error, Sendable {
  package let errors: [GraphQLError]
  package init(_ errors: [GraphQLError]) { self.errors = errors }
}
