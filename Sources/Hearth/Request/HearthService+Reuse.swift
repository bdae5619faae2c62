import Bytes
import GraphQLTransport

extension HearthService {
  package func beginReuse(for context: RequestContext, key: inout ByteBuffer) -> ResponseAudiences? {
    context.beginReuse(key: &key)
  }

  package func validityOfResponse(
    in context: RequestContext
  ) -> (validity: ResponseValidity, audience: UInt64)? { context.responseValidity }

  package func isValid(_ validity: ResponseValidity, for context: RequestContext) throws -> Bool {
    try context.isValid(validity)
  }
}
