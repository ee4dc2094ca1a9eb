import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Program } from '#foundation/server/programs.ts'
import { end, grants, type GrantRow, type Terms } from './queries.ts'

type Db = App['db']

/** How a token ended: by its owner, by whoever holds it, by staff, reported as leaked, by its own end, or with its last server. */
export type EndedWhy = 'owner' | 'self' | 'staff' | 'leak' | 'expired' | 'transfer'

export type TokenRow = GrantRow & {
  name: string
  hint: string
  while_used: boolean
  ends_at: Date
  last_used_at: Date | null
  last_used_ip: string | null
}

const tokens = sql`select r.*, t.name, t.hint, t.expires_at is null as while_used, token_ends_at(t) as ends_at, t.last_used_at,
    host(t.last_used_ip) as last_used_ip
  from (${grants}) r join account_tokens t on t.id = r.id`

/** The tokens of an owner that have not ended, the newest first. */
export async function tokensOf(db: Db, owner_id: string): Promise<TokenRow[]> {
  const { rows } = await sql<TokenRow>`${tokens}
    where r.owner_id = ${owner_id}::uuid and r.state = 'active' order by r.created_at desc, r.id`.execute(db)
  return rows
}

/** Returns a token that has not ended. */
export async function findToken(db: Db, id: string): Promise<TokenRow | undefined> {
  const { rows } = await sql<TokenRow>`${tokens} where r.id = ${id}::uuid and r.state = 'active'`.execute(db)
  return rows[0]
}

/** Locks a token until the transaction ends; actions that run by it finish first. */
export async function lockToken(tx: Tx, id: string): Promise<TokenRow | undefined> {
  await sql`select from account_grants where id = ${id}::uuid and grantee_kind = 'token' for update`.execute(
    tx,
  )
  return findToken(tx, id)
}

type NewToken = {
  owner_id: string
  terms: Terms
  name: string
  token_hash: Buffer
  hint: string
  days: number | null
}

/** Returns the id of the new token; without `days` it lives as long as it is used. */
export async function insertToken(tx: Tx, { owner_id, terms, days, ...token }: NewToken): Promise<string> {
  const { id } = await tx
    .insertInto('account_grants')
    .values({
      owner_id,
      email: '',
      grantee_kind: 'token',
      state: 'active',
      accepted_at: sql`now()`,
      ...terms,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const expires_at = sql<Date | null>`now() + make_interval(days => ${days}::int)`
  await tx
    .insertInto('account_tokens')
    .values({ id, owner_id, expires_at, ...token })
    .execute()
  return id
}

export async function renameToken(tx: Tx, id: string, name: string): Promise<void> {
  await tx.updateTable('account_tokens').set({ name }).where('id', '=', id).execute()
}

export async function endToken(tx: Tx, id: string, ended_why: EndedWhy): Promise<void> {
  await end(tx, id, ended_why === 'self' ? 'left' : ended_why === 'expired' ? 'expired' : 'revoked')
  await tx.updateTable('account_tokens').set({ ended_why }).where('id', '=', id).execute()
}

type Found = Omit<Program, 'listen'> & { is_stale: boolean }

/** The token of a secret, if it may act; `is_stale` where its last use is to be written. */
export async function tokenOf(db: Db, token_hash: Buffer): Promise<Found | undefined> {
  const { rows } = await sql<Found>`
    select t.id, t.owner_id as account_id, t.number, coalesce(t.last_used_at < now() - interval '1 minute', true) as is_stale
    from account_tokens t where t.token_hash = ${token_hash} and token_lives(t.id)`.execute(db)
  return rows[0]
}

/** Writes the use of a token, unless another call has within the minute. */
export async function noteUse(tx: Tx, id: string, ip: string): Promise<void> {
  await sql`update account_tokens set last_used_at = now(), last_used_ip = ${ip}::inet,
      warned_days = case when expires_at is null then null else warned_days end
    where id = ${id}::uuid and coalesce(last_used_at < now() - interval '1 minute', true)`.execute(tx)
}

/** Lets live events be written for a token from now on. */
export async function noteListening(tx: Tx, id: string): Promise<void> {
  await sql`update account_tokens set listened_at = now() where id = ${id}::uuid`.execute(tx)
}

/** Notes for the tokens that end within so many days that their owners are warned, each once, and returns them. */
export async function takeWarned(tx: Tx, days: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update account_tokens t set warned_days = ${days} from account_grants g
    where g.id = t.id and g.state = 'active' and token_ends_at(t) between now() and now() + make_interval(days => ${days}::int)
      and coalesce(t.warned_days > ${days}, true) and t.created_at < now() - interval '1 day'
    returning t.id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** The tokens that are past their end and have not been ended yet. */
export async function tokensPastEnd(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select t.id from account_tokens t join account_grants g on g.id = t.id and g.state = 'active'
    where token_ends_at(t) <= now() order by t.id`.execute(db)
  return rows.map(({ id }) => id)
}
