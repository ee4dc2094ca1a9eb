import type pg from 'pg'

/**
 * Leaves out numbers of all lists in a database that went back to an earlier state: those that were given since then, whose events programs
 * have seen, are not given to others. A program that read them, or was before, is told that it has missed something.
 */
export async function skipNumbers(client: pg.ClientBase): Promise<void> {
  await client.query(
    `update account_event_lists
     set last_seq = (last_seq / 1000000 + 1) * 1000000, begins = (last_seq / 1000000 + 1) * 1000000`,
  )
}
