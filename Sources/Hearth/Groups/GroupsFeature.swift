import GraphQL

extension Feature {
  /// Groups of people of several families.
  static let groups = Feature(
    name: "groups",
    objects: [
      "Group": GroupType.binding,
      "GroupMember": GroupMemberType.binding,
      "GroupJoinRequest": GroupJoinRequestType.binding,
      "GroupPayload": Payload.binding("group"),
      "GroupConnection": .connection,
      "GroupEdge": .edge,
      "GroupMemberConnection": .connection,
      "GroupMemberEdge": .edge,
      "GroupJoinRequestConnection": .connection,
      "GroupJoinRequestEdge": .edge,
    ],
    mutations: [
      "createGroup": CreateGroup.mutation,
      "updateGroup": UpdateGroup.mutation,
      "deleteGroup": DeleteGroup.mutation,
      "inviteToGroup": InviteToGroup.mutation,
      "joinGroup": JoinGroup.mutation,
      "leaveGroup": LeaveGroup.mutation,
      "removeGroupMember": RemoveGroupMember.mutation,
      "acceptGroupJoinRequest": AnswerGroupJoinRequest.accept,
      "rejectGroupJoinRequest": AnswerGroupJoinRequest.reject,
      "setGroupRole": SetGroupRole.mutation,
    ],
    sweeps: [
      Sweep(Membership.sweep), Sweep(Membership.sweepGroups), Sweep(GroupJoinRequest.sweep),
      Sweep(GroupExclusion.sweep), Sweep(GroupExclusion.sweepEnded),
    ]
  )
}
