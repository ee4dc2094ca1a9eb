import { sql, type RawBuilder } from 'kysely'

/** True for a ticket that staff closed as spam; one that was opened again since is none. */
export const isSpam = ({ status, spam_at }: { status: string; spam_at: Date | null }): boolean =>
  status === 'closed' && spam_at !== null

/** The opposite of `isSpam`, as a condition on rows of `tickets`. */
export const noSpam = (tickets: RawBuilder<unknown>) =>
  sql<boolean>`(${tickets}.status <> 'closed' or ${tickets}.spam_at is null)`
