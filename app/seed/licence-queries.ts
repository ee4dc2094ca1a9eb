import { sql } from 'kysely'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { justNow } from './history-queries.ts'

/**
 * Moves the paid time of a server by `by_ms`, and with it the orders and invoices that were written just now. In this way an act that
 * takes its time from the clock of the database can happen in the past.
 */
export async function moveRuntime(tx: Tx, public_id: string, by_ms: number): Promise<void> {
  const by = sql`${`${by_ms} milliseconds`}::interval`
  await sql`
    with host as (update hosts set paid_until = paid_until + ${by} where public_id = ${public_id} returning id),
    ran as (
      update paid_periods p set starts_at = starts_at + ${by}, term_starts_at = term_starts_at + ${by}, ends_at = ends_at + ${by},
        -- A trial is kept from the day of its end on.
        anchor_day = case when transaction_id is null then extract(day from (ends_at + ${by}) at time zone 'UTC') else anchor_day end
      from host where p.host_id = host.id),
    tried as (
      update trials t set starts_at = starts_at + ${by}, ends_at = ends_at + ${by} from host where t.host_id = host.id),
    claimed as (
      update licensed_addresses a set starts_at = starts_at + ${by}, ends_at = ends_at + ${by} from host where a.host_id = host.id),
    scheduled as (
      update licence_watches w set ends_at = ends_at + ${by}, next_at = next_at + ${by}, plan_changes_at = plan_changes_at + ${by}
      from host where w.host_id = host.id),
    waiting as (update jobs set run_at = run_at + ${by} from host where key = concat('licence:', host.id)),
    ordered as (
      update licence_orders o set ordered_at = ordered_at + ${by} from host where o.host_id = host.id and ordered_at > ${justNow}),
    recorded as (
      update audit set detail = detail || jsonb_build_object('until',
        to_char(((detail ->> 'until')::timestamptz + ${by}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
      where act = 'licence.tried' and at > ${justNow} and detail ->> 'host_id' = ${public_id})
    update invoice_lines l set starts_at = l.starts_at + ${by}, ends_at = l.ends_at + ${by}
    from invoices i where i.id = l.invoice_id and i.issued_at > ${justNow}`.execute(tx)
}

export type SeenMachine = {
  public_id: string
  fingerprint: string
  hostname: string
  address: string
  at: Date
  /** True for a machine that exceeds the licence. Its owner was mailed about it at `at`. */
  isOver: boolean
}

/** Records that a machine runs with the licence of a server since `at`. */
export async function insertMachine(tx: Tx, machine: SeenMachine): Promise<void> {
  const { public_id, fingerprint, hostname, address, at, isOver } = machine
  await sql`insert into activations (host_id, user_id, fingerprint, hostname, address, first_seen, last_seen, mailed_at)
    select id, user_id, ${fingerprint}, ${hostname}, ${address}::inet, ${at}::timestamptz, now(), ${isOver ? at : null}::timestamptz
    from hosts where public_id = ${public_id}`.execute(tx)
}
