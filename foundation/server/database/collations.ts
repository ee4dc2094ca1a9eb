import type pg from 'pg'

/** `refresh` is the statement that records the present version of the library. */
type Outdated = { refresh: string }

/**
 * Returns the collations whose library has another version than when they were made: the default collation of the database, and those that
 * are not built in.
 */
export async function outdatedCollations(client: pg.Client): Promise<Outdated[]> {
  const { rows } = await client.query<Outdated>(`
    select format('alter database %I refresh collation version', datname) as refresh
      from pg_database where datname = current_database() and datcollversion <> pg_database_collation_actual_version(oid)
    union all
    select format('alter collation %I refresh version', collname)
      from pg_collation
      where collnamespace <> 'pg_catalog'::regnamespace and collversion <> pg_collation_actual_version(oid)`)
  return rows
}
