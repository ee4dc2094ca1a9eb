import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import { batched, batchedRows } from '#foundation/server/database/batched.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

/** How far the steps around the end of a host's licence have come. */
export type RenewalSchedule = {
  host_id: bigint
  user_id: string
  ends_at: Date
  done_days: number | null
  next_at: Date | null
  refusal: string | null
  /** The time at which another, already paid plan begins. */
  plan_changes_at: Date | null
  /** True if the licence that ends is a trial. */
  is_trial: boolean
  /** The lowest price before VAT that the mails before this end have named, in minor units. */
  announced_net: bigint | null
}

const columns = [
  'host_id',
  'user_id',
  'ends_at',
  'done_days',
  'next_at',
  'refusal',
  'plan_changes_at',
  'announced_net',
] as const

export const scheduleOf = batched(async (tx: Tx, host_ids: readonly bigint[]) => {
  const rows = await schedulesOf(tx, host_ids)
  return new Map(rows.map((row) => [row.host_id, row]))
})

export const putSchedule = batchedRows(
  async (tx: Tx, watches: readonly RenewalSchedule[]): Promise<void[]> => {
    const column = <Key extends keyof RenewalSchedule>(name: Key) => watches.map((watch) => watch[name])
    await sql`
      insert into licence_watches as w (host_id, user_id, ends_at, done_days, next_at, refusal, plan_changes_at, announced_net)
      select * from unnest(${column('host_id').map(String)}::bigint[], ${column('user_id')}::uuid[],
        ${column('ends_at')}::timestamptz[], ${column('done_days')}::smallint[], ${column('next_at')}::timestamptz[],
        ${column('refusal')}::text[], ${column('plan_changes_at')}::timestamptz[],
        ${column('announced_net').map((net) => net?.toString() ?? null)}::bigint[])
      on conflict (host_id) do update set user_id = excluded.user_id, ends_at = excluded.ends_at,
        done_days = excluded.done_days, next_at = excluded.next_at, refusal = excluded.refusal,
        plan_changes_at = excluded.plan_changes_at, announced_net = excluded.announced_net`.execute(tx)
    return []
  },
)

/** Forgets the announced prices and the failed try of a host. Its next step stays. */
export async function forgetAnnouncements(tx: Tx, host_id: bigint): Promise<void> {
  await sql`update licence_watches set refusal = null, announced_net = null, price_told = null where host_id = ${host_id}`.execute(
    tx,
  )
}

export async function deleteSchedule(tx: Tx, host_id: bigint): Promise<void> {
  await tx.deleteFrom('licence_watches').where('host_id', '=', host_id).execute()
}

/** The hosts whose step is overdue by more than `late_s` seconds, so that its job must be lost. */
export async function overdueSchedules(tx: Tx, late_s: number, limit: number): Promise<bigint[]> {
  const rows = await tx
    .selectFrom('licence_watches')
    .select('host_id')
    .where('next_at', '<', sql<Date>`now() - make_interval(secs => ${late_s})`)
    .orderBy('next_at')
    .limit(limit)
    .execute()
  return rows.map(({ host_id }) => host_id)
}

/** The hosts whose last try to renew was refused: hosts of the customer, and hosts that the customer pays for (`paid`). */
export async function refusedSchedules(
  db: App['db'],
  user_id: string,
  paid: readonly bigint[],
): Promise<bigint[]> {
  const rows = await db
    .selectFrom('licence_watches')
    .select('host_id')
    .where(({ or, eb }) =>
      or([eb('user_id', '=', user_id), ...(paid.length > 0 ? [eb('host_id', 'in', [...paid])] : [])]),
    )
    .where('refusal', 'is not', null)
    .execute()
  return rows.map(({ host_id }) => host_id)
}

export async function schedulesOf(db: App['db'], host_ids: readonly bigint[]): Promise<RenewalSchedule[]> {
  return db
    .selectFrom('licence_watches')
    .select(columns)
    .select(
      sql<boolean>`exists (select from trials t where t.host_id = licence_watches.host_id and t.ends_at = licence_watches.ends_at)`.as(
        'is_trial',
      ),
    )
    .where((row) => sql<boolean>`${row.ref('host_id')} = any(${host_ids.map(String)}::bigint[])`)
    .execute()
}

export async function putRenewalPlan(
  tx: Tx,
  { host_id, user_id, plan }: { host_id: bigint; user_id: string; plan: string },
): Promise<void> {
  await sql`
    insert into licence_settings (host_id, user_id, renewal_plan) values (${host_id}, ${user_id}, ${plan})
    on conflict (host_id) do update set renewal_plan = excluded.renewal_plan, chosen_at = clock_timestamp()`.execute(
    tx,
  )
}

/** Forgets the choice of a plan for the end: the licence then goes on with the plan of its last period. */
export async function forgetRenewalPlan(tx: Tx, host_id: bigint): Promise<void> {
  await tx.deleteFrom('licence_settings').where('host_id', '=', host_id).execute()
}

/** Gives the choice of a plan for the end to another account of the same person. */
export async function giveRenewalPlan(tx: Tx, host_id: bigint, user_id: string): Promise<void> {
  await sql`update licence_settings set user_id = ${user_id}::uuid where host_id = ${host_id}`.execute(tx)
}
