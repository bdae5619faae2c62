/// Who is signed in.
struct Viewer: Hashable, Sendable {
  let session: GlobalID
  /// A person or a child.
  let member: GlobalID
  let family: GlobalID

  var isChild: Bool { member.kind == .child }
}
