import Storage

extension Migration {
  /// Who finished a chore and who approved it. Earlier chores that are done do not record it.
  static let choreApproval = Migration(
    18,
    name: "chore approval",
    sql: """
      -- The member who did the chore, and when it was marked as done. NULL unless its status is 1 (done).
      ALTER TABLE chore ADD COLUMN finished_by INTEGER;
      ALTER TABLE chore ADD COLUMN finished_at INTEGER;
      -- 1 if a child finished it and no parent has responded.
      ALTER TABLE chore ADD COLUMN awaits_approval INTEGER NOT NULL DEFAULT 0;
      -- The parent who approved it or gave points for it last, and the sum of the points since it was finished.
      ALTER TABLE chore ADD COLUMN approved_by INTEGER;
      ALTER TABLE chore ADD COLUMN approved_at INTEGER;
      ALTER TABLE chore ADD COLUMN approved_points INTEGER;
      -- The parent who sent the chore back, and why. NULL once it is finished again.
      ALTER TABLE chore ADD COLUMN returned_by INTEGER;
      ALTER TABLE chore ADD COLUMN return_comment TEXT;
      CREATE INDEX chore_awaiting_approval ON chore (family_id, priority_order, due_order, id)
        WHERE awaits_approval = 1 AND removed_at IS NULL;
      -- The points that a child received for a chore: see AssignPoints.isRepeated.
      CREATE INDEX finished_chore_by_chore ON finished_chore (family_id, chore_id, child_id, finished_at);
      """
  )
}
