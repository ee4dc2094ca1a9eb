import { sql } from 'kysely'
import { randomUUID } from 'node:crypto'
import { arrayOf } from '#foundation/server/database/one-plan.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { createRobotUser } from '#foundation/server/session/session.ts'

type Db = App['db']

/** How a token of a robot ended: by an owner, with its robot, reported as leaked, or by its own end. */
export type EndedWhy = 'owner' | 'robot' | 'leak' | 'expired'

export type RobotRow = { id: string; name: string; made_by: string | null; created_at: Date }

/** The robots that have not ended, the newest first. */
export async function robots(db: Db): Promise<RobotRow[]> {
  return db
    .selectFrom('robots')
    .select(['id', 'name', 'made_by', 'created_at'])
    .where('ended_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
}

export async function robotById(db: Db, id: string): Promise<RobotRow | undefined> {
  return (await robots(db)).find((one) => one.id === id)
}

/** Returns the id of the new robot, which has no roles yet. */
export async function insertRobot(tx: Tx, robot: { name: string; made_by: string | null }): Promise<string> {
  const id = randomUUID()
  await createRobotUser(tx, id)
  await tx
    .insertInto('robots')
    .values({ id, ...robot })
    .execute()
  return id
}

export async function endRobot(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('robots')
    .set({ ended_at: sql`now()` })
    .where('id', '=', id)
    .execute()
}

export type TokenRow = {
  id: string
  robot_id: string
  name: string
  hint: string
  made_by: string | null
  created_at: Date
  expires_at: Date
  last_used_at: Date | null
  last_used_ip: string | null
}

const columns = sql`id, robot_id, name, hint, made_by, created_at, expires_at, last_used_at, host(last_used_ip) as last_used_ip`

/** The tokens of these robots that have not ended, the newest first. */
export async function tokensOf(db: Db, robot_ids: readonly string[]): Promise<TokenRow[]> {
  const { rows } = await sql<TokenRow>`
    select ${columns} from robot_tokens where robot_id = any(${arrayOf(robot_ids, 'uuid')}) and ended_at is null
    order by created_at desc, id`.execute(db)
  return rows
}

type NewToken = {
  robot_id: string
  name: string
  token_hash: Buffer
  hint: string
  made_by: string | null
  days: number
}

export async function insertToken(tx: Tx, { days, ...token }: NewToken): Promise<TokenRow> {
  const { id } = await tx
    .insertInto('robot_tokens')
    .values({ ...token, expires_at: sql<Date>`now() + make_interval(days => ${days}::int)` })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { rows } = await sql<TokenRow>`select ${columns} from robot_tokens where id = ${id}`.execute(tx)
  const [row] = rows
  if (!row) throw new Error('The token that was just made is not there.')
  return row
}

/** Ends these tokens, but for those that have ended already, and returns them. */
export async function endTokens(tx: Tx, ids: readonly string[], why: EndedWhy): Promise<TokenRow[]> {
  const { rows } = await sql<TokenRow>`
    update robot_tokens set ended_at = now(), ended_why = ${why}
    where id = any(${arrayOf(ids, 'uuid')}) and ended_at is null returning ${columns}`.execute(tx)
  return rows
}

type Found = { id: string; robot_id: string; is_stale: boolean }

/** The token of a secret, if it may act; `is_stale` where its last use is to be written. */
export async function tokenOf(db: Db, token_hash: Buffer): Promise<Found | undefined> {
  const { rows } = await sql<Found>`
    select id, robot_id, coalesce(last_used_at < now() - interval '1 minute', true) as is_stale
    from robot_tokens where token_hash = ${token_hash} and ended_at is null and expires_at > now()`.execute(
    db,
  )
  return rows[0]
}

/** Writes the use of a token, unless another call has within the minute. */
export async function noteUse(tx: Tx, id: string, ip: string): Promise<void> {
  await sql`update robot_tokens set last_used_at = now(), last_used_ip = ${ip}::inet
    where id = ${id}::uuid and coalesce(last_used_at < now() - interval '1 minute', true)`.execute(tx)
}

/** The tokens that are past their end and have not been ended yet. */
export async function tokensPastEnd(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from robot_tokens where ended_at is null and expires_at <= now() order by id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Notes for the tokens that end within so many days that the owners are warned, each once, and returns them. */
export async function takeWarned(tx: Tx, days: number): Promise<TokenRow[]> {
  const { rows } = await sql<TokenRow>`
    update robot_tokens set warned_days = ${days}
    where ended_at is null and expires_at between now() and now() + make_interval(days => ${days}::int)
      and coalesce(warned_days > ${days}, true) and created_at < now() - interval '1 day'
    returning ${columns}`.execute(tx)
  return rows
}
