import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

/** Notes that a member gave somebody a role, and no second owner confirmed it. */
export async function noteIntroduction(tx: Tx, member_id: string, by_id: string): Promise<void> {
  await tx.insertInto('introductions').values({ member_id, by_id }).execute()
}

/** The time until which two members decide nothing of each other, because one brought the other in, over others too; null where they may. */
export async function introducedUntil(db: App['db'], one: string, other: string): Promise<Date | null> {
  const { rows } = await sql<{ until: Date | null }>`
    select introduced_until(${one}::uuid, ${other}::uuid) as until`.execute(db)
  return rows[0]?.until ?? null
}

type Introduced = { member_id: string; by_id: string; until: Date }

/** The member who gave each of these members a role without a second owner within 14 days, and until when that counts; the last one of each. */
export async function introductionsOf(
  db: App['db'],
  members: readonly string[],
): Promise<Map<string, Introduced>> {
  const { rows } = await sql<Introduced>`
    select distinct on (member_id) member_id, by_id, at + interval '14 days' as until from introductions
    where member_id = any(${[...members]}::uuid[]) and at > now() - interval '14 days' order by member_id, at desc`.execute(
    db,
  )
  return new Map(rows.map((row) => [row.member_id, row]))
}

/** True if a second member approved this act with these values in its input. */
export async function wasApproved(tx: Tx, act: string, input: object): Promise<boolean> {
  const { rows } = await sql`
    select from approvals where act = ${act} and status = 'approved' and input @> ${JSON.stringify(input)}::jsonb limit 1`.execute(
    tx,
  )
  return rows.length > 0
}
