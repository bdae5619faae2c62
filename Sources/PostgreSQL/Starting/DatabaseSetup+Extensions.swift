extension DatabaseSetup {
  /// The condition that a row `c` of `pg_class` belongs to no extension. The views of `pg_stat_statements` are
  /// in the schema in which it was created.
  package static let belongsToNoExtension = """
    NOT EXISTS (SELECT 1 FROM pg_depend AS d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid \
    AND d.deptype = 'e')
    """
}
