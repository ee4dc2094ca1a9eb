import { sql } from 'kysely'
import type { ApprovalCause, ApprovalStatus, LinkKind } from '#foundation/approvals.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

type Db = App['db']

export type Approval = {
  id: string
  act: string
  customer_id: string | null
  amount: bigint | null
  input: unknown
  why: ApprovalCause
  links: readonly LinkKind[]
  reason: string
  proposed_by: string
  proposed_at: Date
  expires_at: Date
  status: ApprovalStatus
  decided_by: string | null
  decided_at: Date | null
  note: string | null
  failure: string | null
}

const columns = sql`id, act, customer_id, amount, input, why, links, reason, proposed_by, proposed_at, expires_at, status, decided_by,
  decided_at, note, failure`

export type NewApproval = Pick<
  Approval,
  'act' | 'customer_id' | 'amount' | 'input' | 'why' | 'reason' | 'proposed_by'
> & { links: readonly LinkKind[] }

/** A proposal that nobody decides within this time is void. */
const LIFETIME_S = 72 * 3600

/** Inserts a proposal; undefined where the same action is proposed already. */
export async function insertApproval(
  tx: Tx,
  { act, customer_id, amount, input, why, links, reason, proposed_by }: NewApproval,
): Promise<Approval | undefined> {
  const { rows } = await sql<Approval>`
    insert into approvals (act, customer_id, amount, input, why, links, reason, proposed_by, expires_at)
    values (${act}, ${customer_id}, ${amount}, ${JSON.stringify(input)}::jsonb, ${why}, ${[...links]}::text[], ${reason},
      ${proposed_by}, now() + make_interval(secs => ${LIFETIME_S}))
    on conflict (act, customer_id, amount, md5(input::text)) where status = 'proposed' do nothing returning ${columns}`.execute(
    tx,
  )
  return rows[0]
}

/** Locks an approval: nobody else decides it until the transaction ends. */
export async function lockApproval(
  tx: Tx,
  id: string,
): Promise<(Approval & { is_due: boolean }) | undefined> {
  const { rows } = await sql<Approval & { is_due: boolean }>`
    select ${columns}, expires_at <= clock_timestamp() as is_due from approvals where id = ${id} for no key update`.execute(
    tx,
  )
  return rows[0]
}

export type Outcome = {
  status: Exclude<ApprovalStatus, 'proposed'>
  decided_by?: string
  note?: string | null
  result?: object
  failure?: string
}

/** Ends a proposal with its outcome; undefined where somebody else has ended it already. */
export async function settleApproval(tx: Tx, id: string, outcome: Outcome): Promise<Approval | undefined> {
  const { status, decided_by = null, note = null, result, failure = null } = outcome
  const { rows } = await sql<Approval>`
    update approvals set status = ${status}, decided_by = ${decided_by}, decided_at = now(), note = ${note},
      result = ${result ? JSON.stringify(result) : null}::jsonb, failure = ${failure}
    where id = ${id} and status = 'proposed' returning ${columns}`.execute(tx)
  return rows[0]
}

/** The proposals that nobody decided in time. */
export async function dueApprovals(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from approvals where status = 'proposed' and expires_at <= now() order by expires_at limit 1000`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

export async function proposalsOf(tx: Tx, proposed_by: string): Promise<Pick<Approval, 'id' | 'act'>[]> {
  const { rows } = await sql<Pick<Approval, 'id' | 'act'>>`
    select id, act from approvals where proposed_by = ${proposed_by} and status = 'proposed' order by id for no key update`.execute(
    tx,
  )
  return rows
}

/**
 * The open proposals of one kind with these values in their input, locked: nobody else decides them until the transaction ends.
 */
export async function lockProposals(tx: Tx, act: string, input: object): Promise<Approval[]> {
  const { rows } = await sql<Approval>`
    select ${columns} from approvals where act = ${act} and status = 'proposed' and input @> ${JSON.stringify(input)}::jsonb
    order by id for no key update`.execute(tx)
  return rows
}

/** Returns the inputs of the waiting proposals of one act, by the account that each concerns. */
export async function proposedInputs<Input>(db: Db, act: string): Promise<Map<string, Input>> {
  const { rows } = await sql<{ customer_id: string; input: Input }>`
    select customer_id, input from approvals
    where act = ${act} and status = 'proposed' and expires_at > now() and customer_id is not null`.execute(db)
  return new Map(rows.map(({ customer_id, input }) => [customer_id, input]))
}

export type Place = { before: readonly [waiting: string, at: string, id: string] | undefined; limit: number }

/** Returns a page of approvals: the waiting ones first, then the newest. `proposed_by` limits it to the proposals of one member. */
export async function approvalsBefore(
  db: Db,
  { status, proposed_by }: { status?: ApprovalStatus | undefined; proposed_by?: string | undefined },
  { before, limit }: Place,
): Promise<Approval[]> {
  const conditions = [
    sql`true`,
    ...(status ? [sql`status = ${status}`] : []),
    ...(proposed_by ? [sql`proposed_by = ${proposed_by}`] : []),
    ...(before
      ? [
          sql`(status = 'proposed', proposed_at, id) < (${before[0]}::boolean, ${before[1]}::timestamptz, ${before[2]}::uuid)`,
        ]
      : []),
  ]
  const { rows } = await sql<Approval>`
    select ${columns} from approvals where ${sql.join(conditions, sql` and `)}
    order by (status = 'proposed') desc, proposed_at desc, id desc limit ${limit}`.execute(db)
  return rows
}

export async function approvalById(db: Db, id: string): Promise<Approval | undefined> {
  const { rows } = await sql<Approval>`select ${columns} from approvals where id = ${id}`.execute(db)
  return rows[0]
}

/** The proposals of others that wait for a member who may decide these actions, by who asks and for whom. */
export async function waitingFor(
  db: Db,
  { user_id, acts }: { user_id: string; acts: readonly string[] },
): Promise<{ proposed_by: string; customer_id: string | null; waiting: number }[]> {
  const { rows } = await sql<{ proposed_by: string; customer_id: string | null; waiting: number }>`
    select proposed_by, customer_id, count(*)::int as waiting from approvals
    where status = 'proposed' and expires_at > now() and act = any(${[...acts]}::text[])
      and proposed_by <> ${user_id} and customer_id is distinct from ${user_id} group by proposed_by, customer_id`.execute(
    db,
  )
  return rows
}

/** True if this action waits for a second member for one of these customers. */
export async function isProposedFor(db: Db, act: string, customer_ids: readonly string[]): Promise<boolean> {
  const { rows } =
    await sql`select from approvals where status = 'proposed' and expires_at > now() and act = ${act}
    and customer_id = any(${[...customer_ids]}::uuid[]) limit 1`.execute(db)
  return rows.length > 0
}

/** True if an action that moves money of this customer waits for a second member. */
export async function isMoneyProposedFor(db: Db, customer_id: string): Promise<boolean> {
  const { rows } =
    await sql`select from approvals where status = 'proposed' and expires_at > now() and amount is not null
    and customer_id = ${customer_id}::uuid limit 1`.execute(db)
  return rows.length > 0
}
