import Basics

@testable import Hearth

/// An action of a person towards another, or in a group.
struct SimulatedDeed: Sendable {
  enum Action: Sendable {
    case request, accept, reject, cancel, share, remove
    case createGroup, join, invite, leave, removeMember, setRole(isAdmin: Bool), setGroupSharing, deleteGroup
    case setAccess(String), acceptJoin, rejectJoin
  }

  /// The part of the contact book that an action can change. Actions in different parts commute.
  enum Area: Hashable, Sendable {
    case pair(Int, Int)
    case group(Int)
  }

  let area: Area
  let action: Action
  /// Who does it, and to whom, if to anyone.
  let one: Int
  let other: Int
  let scopes: [String]

  static func inPair(_ one: Int, _ other: Int, _ scopes: [String], _ random: inout SeededGenerator) -> SimulatedDeed {
    let actions: [Action] = [
      .request, .request, .request, .request, .accept, .accept, .accept, .reject, .cancel, .share, .remove,
    ]
    return SimulatedDeed(
      area: .pair(min(one, other), max(one, other)),
      action: actions[Int.random(in: actions.indices, using: &random)],
      one: one,
      other: other,
      scopes: scopes
    )
  }

  static func inGroup(
    _ group: Int,
    _ one: Int,
    _ other: Int,
    _ scopes: [String],
    _ random: inout SeededGenerator
  ) -> SimulatedDeed {
    let actions: [Action] = [
      .join, .join, .join, .join, .join, .join, .join, .invite, .invite, .invite, .leave, .leave, .leave,
      .removeMember, .removeMember, .setRole(isAdmin: true), .setRole(isAdmin: true), .setRole(isAdmin: false),
      .setGroupSharing, .setGroupSharing, .setGroupSharing, .setGroupSharing, .deleteGroup,
      .setAccess("OPEN"), .setAccess("BY_REQUEST"), .setAccess("BY_REQUEST"), .setAccess("BY_INVITATION"), .acceptJoin,
      .acceptJoin, .acceptJoin, .acceptJoin, .rejectJoin,
    ]
    let action = actions[Int.random(in: actions.indices, using: &random)]
    return SimulatedDeed(area: .group(group), action: action, one: one, other: other, scopes: scopes)
  }
}

extension ContactBookModel {
  /// Performs an action; returns whether it is allowed.
  mutating func perform(_ deed: SimulatedDeed) -> Bool {
    let (one, other, scopes) = (deed.one, deed.other, Set(deed.scopes))
    let group = if case .group(let number) = deed.area { number } else { -1 }
    return switch deed.action {
    case .request: request(one, other, scopes)
    case .accept: accept(one, of: other, scopes)
    case .reject: reject(one, of: other)
    case .cancel: cancel(one, other)
    case .share: share(one, other, scopes)
    case .remove: remove(one, other)
    case .createGroup: createGroup(one, group, scopes)
    case .join: join(one, group)
    case .invite: invite(one, other, to: group)
    case .leave: leave(one, group)
    case .removeMember: removeMember(one, other, from: group)
    case .setRole(let isAdmin): setRole(one, of: other, isAdmin: isAdmin, in: group)
    case .setGroupSharing: setSharing(one, group, scopes)
    case .deleteGroup: deleteGroup(one, group)
    case .setAccess(let access): setAccess(one, group, access)
    case .acceptJoin: acceptRequest(one, of: other, to: group)
    case .rejectJoin: rejectRequest(one, of: other, to: group)
    }
  }
}
