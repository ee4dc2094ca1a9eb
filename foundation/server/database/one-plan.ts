import { sql, type RawBuilder } from 'kysely'

const types = { uuid: sql`uuid[]`, bigint: sql`bigint[]`, text: sql`text[]` }

/**
 * An array whose length the planner does not see. A plan for a short array looks cheaper than the one that PostgreSQL keeps for all lengths,
 * and so it would plan the statement anew for each call, which takes longer than running it.
 */
export const arrayOf = (values: readonly unknown[], type: keyof typeof types): RawBuilder<unknown> =>
  sql`(select ${values}::${types[type]})::${types[type]}`
