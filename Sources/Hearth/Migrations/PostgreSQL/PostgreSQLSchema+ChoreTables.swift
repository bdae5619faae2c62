extension PostgreSQLSchema {
  /// The tables of chores, contracts and points, each with its indexes, and that of work on all data (`DueWork`).
  static let choreTables = """
    CREATE TABLE due_work (
      name text COLLATE "C" PRIMARY KEY NOT NULL,
      due_at bigint NOT NULL
    );

    CREATE TABLE chore (
      family_id bigint NOT NULL REFERENCES family (id) DEFERRABLE,
      id bigint NOT NULL,
      name text COLLATE "C" NOT NULL,
      notes text COLLATE "C",
      priority bigint NOT NULL CHECK (priority BETWEEN 1 AND 10),
      due_at bigint,
      frequency bigint NOT NULL,
      status bigint NOT NULL,
      period text COLLATE "C",
      copied_from bigint,
      assignees bytea NOT NULL,
      created_by bigint NOT NULL,
      created_at bigint NOT NULL,
      updated_at bigint NOT NULL,
      removed_at bigint,
      name_key text COLLATE "C" NOT NULL DEFAULT '',
      image bigint,
      series_id bigint,
      repeats bigint NOT NULL DEFAULT 0,
      due_day bigint,
      due_time bigint,
      priority_order bigint GENERATED ALWAYS AS (-priority) STORED,
      due_order bigint GENERATED ALWAYS AS (coalesce(due_at, 9223372036854775807)) STORED,
      finished_by bigint,
      finished_at bigint,
      awaits_approval bigint NOT NULL DEFAULT 0,
      approved_by bigint,
      approved_at bigint,
      approved_points bigint,
      returned_by bigint,
      return_comment text COLLATE "C",
      PRIMARY KEY (family_id, id)
    );
    CREATE INDEX chore_awaiting_approval ON chore (family_id, priority_order, due_order, id)
    WHERE awaits_approval = 1 AND removed_at IS NULL;
    CREATE INDEX chore_by_due ON chore (family_id, due_order, id) WHERE removed_at IS NULL;
    CREATE INDEX chore_by_name ON chore (family_id, name_key, id) WHERE removed_at IS NULL;
    CREATE INDEX chore_by_period ON chore (family_id, period, priority_order, due_order, id)
    WHERE period IS NOT NULL AND removed_at IS NULL;
    CREATE INDEX chore_by_priority ON chore (family_id, priority_order, due_order, id) WHERE removed_at IS NULL;
    CREATE INDEX chore_by_status ON chore (family_id, status, priority_order, due_order, id) WHERE removed_at IS NULL;
    CREATE INDEX chore_left_open ON chore (family_id, frequency, period)
    WHERE status = 0 AND period IS NOT NULL AND removed_at IS NULL;
    CREATE UNIQUE INDEX chore_occurrence ON chore (family_id, series_id, period) WHERE series_id IS NOT NULL;
    CREATE INDEX chore_repeating ON chore (family_id, frequency, coalesce(period, '')) WHERE repeats = 1;

    CREATE TABLE assignment (
      family_id bigint NOT NULL,
      member_id bigint NOT NULL,
      status bigint NOT NULL,
      priority_order bigint NOT NULL,
      due_order bigint NOT NULL,
      chore_id bigint NOT NULL,
      PRIMARY KEY (family_id, member_id, status, priority_order, due_order, chore_id),
      FOREIGN KEY (family_id, chore_id) REFERENCES chore (family_id, id) ON DELETE CASCADE DEFERRABLE
    );
    CREATE UNIQUE INDEX assignment_by_chore ON assignment (family_id, chore_id, member_id);

    CREATE TABLE contract (
      family_id bigint NOT NULL,
      child_id bigint NOT NULL,
      id bigint NOT NULL,
      description text COLLATE "C",
      max_points bigint NOT NULL CHECK (max_points >= 1),
      points bigint NOT NULL DEFAULT 0,
      active bigint NOT NULL,
      created_at bigint NOT NULL,
      PRIMARY KEY (family_id, id),
      FOREIGN KEY (family_id, child_id) REFERENCES child (family_id, id) ON DELETE CASCADE DEFERRABLE
    );
    CREATE INDEX contract_by_child ON contract (family_id, child_id, id);

    CREATE TABLE reward_level (
      family_id bigint NOT NULL,
      contract_id bigint NOT NULL,
      level bigint NOT NULL,
      points bigint NOT NULL,
      threshold bigint NOT NULL,
      award text COLLATE "C" NOT NULL,
      redeemed_at bigint,
      redeemed_by bigint,
      redemption_id bigint,
      handed_out_at bigint,
      handed_out_by bigint,
      PRIMARY KEY (family_id, contract_id, level)
    );

    CREATE TABLE finished_chore (
      family_id bigint NOT NULL,
      child_id bigint NOT NULL,
      id bigint NOT NULL,
      chore_id bigint NOT NULL,
      points bigint NOT NULL CHECK (points BETWEEN 1 AND 3),
      assigned_by bigint NOT NULL,
      finished_at bigint NOT NULL,
      PRIMARY KEY (family_id, id),
      FOREIGN KEY (family_id, child_id) REFERENCES child (family_id, id) ON DELETE CASCADE DEFERRABLE
    );
    CREATE INDEX finished_chore_by_child ON finished_chore (family_id, child_id, id);
    CREATE INDEX finished_chore_by_chore ON finished_chore (family_id, chore_id, child_id, finished_at);
    """
}
