import GraphQL
import Storage

/// `endContract`: without another in its place. It stays in the list.
enum EndContract {
  static let isActive = SQL("SELECT active, child_id FROM contract WHERE family_id = ?1 AND id = ?2")
  static let end = SQL("UPDATE contract SET active = 0 WHERE family_id = ?1 AND id = ?2")
  static let release = SQL("UPDATE child SET contract_id = NULL, points = 0 WHERE family_id = ?1 AND id = ?2")

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    let family = viewer.family.rawValue
    let contract = context.services.cipher.key(of: arguments["id"]?.string ?? "")
    let now = context.now
    let key = try await context.write { transaction in
      let finding = try transaction.statement(isActive)
      try finding.bind(1, family)
      try finding.bind(2, contract?.rawValue ?? 0)
      let found = try finding.first { row in (isActive: row.bool(0), child: row.int64(1)) }
      guard let found, let contract else {
        throw Refused(["id"], .notFound, "No contract of the family has this id.")
      }
      guard found.isActive else { throw Refused(["id"], .conflict, "The contract has ended already.") }
      try transaction.run(end, family, contract.rawValue)
      try transaction.run(release, family, found.child)
      try FamilyEvent.record(.contractChanged, contract, of: viewer.family, at: now, transaction)
      let child = GlobalID(rawValue: found.child)
      try FamilyEvent.record(.childChanged, child, of: viewer.family, at: now, transaction)
      return contract
    }
    return Payload(["contract": [key]])
  }
}
