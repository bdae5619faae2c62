/// The parameters that a loader's statements can use. `Loader` binds only those that a statement uses.
struct LoaderParameters {
  /// The keys of the objects or of their parents.
  let keys: [Int64]
  /// The key of the only object.
  let key: Int64
  /// The lowest and the highest of the keys.
  let lowest: Int64
  let highest: Int64
  /// The viewer's family.
  let family: GlobalID
  let viewer: GlobalID
  /// The time of the request.
  let now: Timestamp
  /// The field's filter; NULL when it has none.
  let filter: Int64?
}
