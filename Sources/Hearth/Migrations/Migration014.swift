import Storage

extension Migration {
  /// Sessions and sign-in codes record who opened them.
  static let sessionOrigins = Migration(
    14,
    name: "session origins",
    sql: """
      -- The adult whose sign-in or sign-in code opened the session: its own member, or a parent of the child that it is of.
      -- NULL for children's sessions from before this column.
      ALTER TABLE session ADD COLUMN opened_by INTEGER;
      -- SignInMethod, by place. NULL for sessions from before this column.
      ALTER TABLE session ADD COLUMN sign_in_method INTEGER;
      -- The hash of a used refresh token that carries no proof of its session. NULL where all of them carry one.
      ALTER TABLE session ADD COLUMN unproven_hash BLOB;
      UPDATE session SET opened_by = member_id WHERE member_id & 63 = 3;

      -- The parent who had a sign-in code made. NULL for other purposes, and for codes from before this column.
      ALTER TABLE one_time_token ADD COLUMN issued_by INTEGER;
      """
  )
}
