import { sql } from 'kysely'
import type { Translated } from '#foundation/locale.ts'
import type { App } from '#foundation/server/app.ts'
import type { OrderedPeriod } from './queries.ts'

/** A period that has not ended, with the terms of its order. `net` is its value (minor units of `currency`). */
export type ValuedPeriod = OrderedPeriod & {
  /** Null for a trial. */
  transaction_id: string | null
  /** The account that paid for the period. */
  buyer_id: string
  /** The agreement by which another account paid; null if the owner paid. */
  agreement_id: string | null
  term_starts_at: Date
  net: bigint
  currency: string
  plan_name: Translated
  /** The rank of its edition. */
  rank: number
  is_trial: boolean
}

/** The runtime of a host that is not over at `now`, in order. */
export async function valuedPeriods(db: App['db'], host_id: bigint, now: Date): Promise<ValuedPeriod[]> {
  const { rows } = await sql<ValuedPeriod>`
    select p.id, p.order_id, p.starts_at, p.ends_at, p.anchor_day, p.ended, o.term, o.transaction_id, coalesce(o.payer_id, o.user_id) as buyer_id, o.agreement_id, o.currency, o.plan_name, e.rank,
      o.kind = 'trial' as is_trial,
      p.term_starts_at, p.net
    from paid_periods p join licence_orders o on o.id = p.order_id join editions e on e.slug = p.edition
    where p.host_id = ${host_id} and p.ends_at > ${now} and p.ends_at > p.starts_at
    order by p.starts_at`.execute(db)
  return rows
}
