import { sql, type RawBuilder } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

type Db = App['db']

export type ProposalRow = {
  id: string
  owner_id: string
  token_id: string
  tool: string
  path: string
  input: unknown
  proposed_at: Date
  expires_at: Date
  status: 'proposed' | 'confirmed' | 'failed' | 'refused' | 'expired'
  decided_at: Date | null
  failure: string | null
  done_at: Date | null
}

// Nothing is confirmed that a token has proposed which is ended meanwhile: the attack is a stolen token that has proposed.
const waits = sql`(status = 'proposed' and expires_at > clock_timestamp() and token_lives(token_id))`

const columns = sql`id, owner_id, token_id, tool, path, input, proposed_at, expires_at,
  case when status = 'proposed' and not ${waits} then 'expired' else status end as status, decided_at, failure, done_at`

/** A proposal that nobody decides within this time is void. */
const LIFETIME_S = 72 * 3600

type NewProposal = Pick<ProposalRow, 'owner_id' | 'token_id' | 'tool' | 'path' | 'input'>

/** Inserts a proposal; undefined where the same one waits already. */
export async function insertProposal(tx: Tx, row: NewProposal): Promise<ProposalRow | undefined> {
  await expire(tx, sql`owner_id = ${row.owner_id}`)
  const { rows } = await sql<ProposalRow>`
    insert into assistant_proposals (owner_id, token_id, tool, path, input, expires_at)
    values (${row.owner_id}, ${row.token_id}, ${row.tool}, ${row.path}, ${JSON.stringify(row.input)}::jsonb,
      now() + make_interval(secs => ${LIFETIME_S}))
    on conflict (owner_id, tool, path, md5(input::text)) where status = 'proposed' do nothing returning ${columns}`.execute(
    tx,
  )
  return rows[0]
}

/** The proposals of an account that wait, and how many of them were made within ten minutes. */
export async function countWaiting(db: Db, owner_id: string): Promise<{ waiting: number; fresh: number }> {
  const { rows } = await sql<{ waiting: number; fresh: number }>`
    select count(*)::int as waiting, (count(*) filter (where proposed_at > now() - interval '10 minutes'))::int as fresh
    from assistant_proposals where owner_id = ${owner_id} and ${waits}`.execute(db)
  return rows[0] ?? { waiting: 0, fresh: 0 }
}

/** The proposals of an account: those that wait first, then the newest. */
export async function proposalsOf(db: Db, owner_id: string, limit: number): Promise<ProposalRow[]> {
  const { rows } = await sql<ProposalRow>`
    select ${columns} from assistant_proposals where owner_id = ${owner_id}
    order by ${waits} desc, proposed_at desc, id limit ${limit}`.execute(db)
  return rows
}

export async function proposalById(
  db: Db,
  { id, owner_id }: Pick<ProposalRow, 'id' | 'owner_id'>,
): Promise<ProposalRow | undefined> {
  const { rows } = await sql<ProposalRow>`
    select ${columns} from assistant_proposals where id = ${id} and owner_id = ${owner_id}`.execute(db)
  return rows[0]
}

/** The time in which the call of a confirmed proposal is done, or was lost with its process. */
const ATTEMPT_S = 60

/** A lost call is tried again within this time. It is shorter than the one for which idempotency keys are kept. */
const TRIED_D = 6

/**
 * Decides a proposal that waits, or takes a confirmed one for another attempt whose call was lost; undefined where another call was
 * faster, or its time is over.
 */
export async function decide(
  tx: Tx,
  { id, owner_id, status }: Pick<ProposalRow, 'id' | 'owner_id'> & { status: 'confirmed' | 'refused' },
): Promise<ProposalRow | undefined> {
  const { rows } = await sql<ProposalRow>`
    update assistant_proposals set status = ${status}, decided_at = coalesce(decided_at, now()), tried_at = clock_timestamp()
    where id = ${id} and owner_id = ${owner_id} and (${waits}
      or status = 'confirmed' and ${status} = 'confirmed' and done_at is null
        and decided_at > now() - make_interval(days => ${TRIED_D})
        and (tried_at is null or tried_at < clock_timestamp() - make_interval(secs => ${ATTEMPT_S})))
    returning ${columns}`.execute(tx)
  return rows[0]
}

export async function finish(tx: Tx, id: string): Promise<void> {
  await sql`update assistant_proposals set done_at = now() where id = ${id} and status = 'confirmed'`.execute(
    tx,
  )
}

/** Lets a confirmed proposal be tried again at once. */
export async function release(tx: Tx, id: string): Promise<void> {
  await sql`update assistant_proposals set tried_at = null where id = ${id} and done_at is null`.execute(tx)
}

/** Notes that the call of a confirmed proposal was refused. */
export async function fail(tx: Tx, id: string, failure: string): Promise<void> {
  await sql`update assistant_proposals set status = 'failed', failure = ${failure}
    where id = ${id} and status = 'confirmed'`.execute(tx)
}

/** Ends those of these proposals that nobody can confirm any more. */
async function expire(tx: Tx, which: RawBuilder<unknown>): Promise<void> {
  await sql`update assistant_proposals set status = 'expired', decided_at = now()
    where ${which} and status = 'proposed' and not ${waits}`.execute(tx)
}

/** Ends the proposals that nobody decided in time or tried again, and forgets those that were decided 180 days ago. */
export async function sweep(tx: Tx): Promise<void> {
  await expire(tx, sql`true`)
  await sql`update assistant_proposals set status = 'expired'
    where status = 'confirmed' and done_at is null and decided_at < now() - make_interval(days => ${TRIED_D})`.execute(
    tx,
  )
  await sql`delete from assistant_proposals where decided_at < now() - interval '180 days'`.execute(tx)
}

export async function deleteOf(tx: Tx, owner_id: string): Promise<void> {
  await tx.deleteFrom('assistant_proposals').where('owner_id', '=', owner_id).execute()
}
