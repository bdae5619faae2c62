import GraphQL
import Storage

/// `stopInvitations`: the token proves that the caller has read an invitation to the address, whether or not they are
/// signed in.
enum StopInvitations {
  static let mutation = FieldBinding.mutation { arguments, context in
    let (services, now) = (context.services, context.now)
    guard let token = StopToken(arguments["token"]?.string ?? "", key: services.keys.identifier) else {
      throw RejectedInput(["token"], code: .notFound, message: "The token is not the one of an invitation mail.")
    }
    let address = StoppedAddress(hash: token.hash, stoppedAt: Timestamp(now))
    try await context.write { transaction in try transaction.run(StoppedAddress.record, address) }
    return .done
  }
}
