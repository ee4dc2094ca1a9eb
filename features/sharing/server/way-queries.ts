import { sql } from 'kysely'
import type { HelperRole } from '#foundation/capability.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { limits } from '#features/sharing/limits.ts'

type Db = App['db']

/** A way by which a person may act for an owner: by a grant of the owner, or by a grant of the owner's that a helper passes on. */
export type Way = {
  grant_id: string
  /** The grant by which a helper passes `grant_id` on to the person; null if the owner gave `grant_id` to the person. */
  through: string | null
  /** The helper who passes `grant_id` on; null if nobody does. */
  passed_by: string | null
  owner_id: string
  role: HelperRole
  all_hosts: boolean
  needs_second_factor: boolean
  /** True if one of both grants has a limit of what the helper may spend. */
  is_limited: boolean
}

const limited = sql`num_nonnulls(${sql.join(limits.map(({ name }) => sql.ref(`g.${name}`)))}) > 0`

type Subject = { host_id: string | null; is_ticket: boolean }

/**
 * Returns the ways to a server, to a ticket about it, to an account, or (without any of these) to all accounts. Grants of the
 * owner's come before those that were passed on; in both groups the role `full` comes first.
 */
export async function waysFor(
  db: Db,
  person_id: string,
  { owner_id, host_id, is_ticket }: Subject & { owner_id: string | null },
): Promise<Way[]> {
  const { rows } = await sql<Way>`
    select w.*, exists (select from account_grants g where g.id in (w.grant_id, w.through) and ${limited}) as is_limited
    from ways_for(${person_id}::uuid, ${owner_id}::uuid, ${host_id}::text, ${is_ticket}) w
    order by (through is null) desc, (role = 'full') desc, grant_id, through`.execute(db)
  return rows
}

export async function opensTicket(db: Db, grant_id: string, host_id: string | null): Promise<boolean> {
  const { rows } = await sql<{ opens: boolean }>`
    select grant_opens(${grant_id}::uuid, ${host_id}::text, true) as opens`.execute(db)
  return rows[0]?.opens ?? false
}

export type Act = Subject & {
  owner_id: string
  person_id: string
  grant_id: string
  through: string | null
  roles: readonly HelperRole[]
}

/**
 * Locks the grants that an action uses until the transaction ends, so that a revocation waits for it. Returns false if they do not
 * allow the action (any more).
 */
export async function holdWay(tx: Tx, act: Act): Promise<boolean> {
  const { owner_id, person_id, grant_id, through, roles, host_id, is_ticket } = act
  const { rows } = await sql<{ held: boolean }>`
    select act_for(${owner_id}::uuid, ${person_id}::uuid, ${grant_id}::uuid, ${through}::uuid, ${[...roles]}::text[], ${host_id}::text,
      ${is_ticket}) as held`.execute(tx)
  return rows[0]?.held ?? false
}

/** The public ids of the servers that a grant opens. */
export async function hostsOpened(db: Db, grant_id: string): Promise<string[]> {
  const { rows } = await sql<{ public_id: string }>`
    select public_id from hosts_of_grant(${grant_id}::uuid)`.execute(db)
  return rows.map(({ public_id }) => public_id)
}

/** The people among these who may read a ticket of an owner as helpers now. */
export async function helpersOfTicket(
  db: Db,
  people: readonly string[],
  { owner_id, host_id, roles }: { owner_id: string; host_id: string | null; roles: readonly HelperRole[] },
): Promise<string[]> {
  if (people.length === 0) return []
  const { rows } = await sql<{ person: string }>`
    select person from helpers_of_ticket(${[...people]}::uuid[], ${owner_id}::uuid, ${[...roles]}::text[], ${host_id}::text)
    order by person`.execute(db)
  return rows.map(({ person }) => person)
}

/** Returns the helpers to whom an account passes on the grants that it received: those with a grant for all servers. */
export async function helpersWithAll(tx: Tx, owner_id: string): Promise<string[]> {
  const { rows } = await sql<{ grantee_id: string }>`
    select grantee_id from account_grants where owner_id = ${owner_id} and state = 'active' and all_hosts`.execute(
    tx,
  )
  return rows.map(({ grantee_id }) => grantee_id)
}

type PersonOnWay = Pick<Way, 'grant_id' | 'passed_by' | 'role' | 'all_hosts'> & { person: string }

/** Everybody who may act for an owner now, by each of the ways. */
export async function peopleOf(db: Db, owner_id: string): Promise<PersonOnWay[]> {
  const { rows } = await sql<PersonOnWay>`select * from people_of(${owner_id}::uuid)`.execute(db)
  return rows
}

/** Returns the owners who let an account act for them and pass that on. */
export async function ownersPassingTo(tx: Tx, grantee_id: string): Promise<string[]> {
  const { rows } = await sql<{ owner_id: string }>`
    select owner_id from account_grants where grantee_id = ${grantee_id} and state = 'active' and may_pass_on`.execute(
    tx,
  )
  return rows.map(({ owner_id }) => owner_id)
}

/** Returns everybody whose people or accounts change with what an account may do: on both sides of its ways. */
export async function concernedBy(tx: Tx, user_id: string): Promise<string[]> {
  const { rows } = await sql<{ person: string }>`select person from concerned_by(${user_id}::uuid)`.execute(
    tx,
  )
  return rows.map(({ person }) => person)
}
