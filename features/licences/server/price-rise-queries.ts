import { sql } from 'kysely'
import type { Translated } from '#foundation/locale.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { KeptExtra } from '#features/hosts/server/hosts.ts'
import { lastTry, type Term } from '#features/licences/rules.ts'

/** A price that rises for renewals: amounts in minor units before VAT. */
export type Rise = {
  id: bigint
  plan: string
  name: Translated
  term: Term
  before: bigint
  net: bigint
  renewals_from_at: Date
}

/** Returns a price rise; undefined if a newer price replaces it before renewals pay it. */
export async function findRise(db: App['db'], plan: string, id: bigint): Promise<Rise | undefined> {
  const { rows } = await sql<Rise>`
    select r.id, r.plan, p.term, json_build_object('en', p.name_en, 'de', p.name_de, 'ru', p.name_ru) as name, r.net, r.renewals_from_at,
      (select q.net from plan_prices q where q.plan = r.plan and q.id < r.id and q.renewals_from_at <= r.renewals_from_at
        order by q.id desc limit 1) as before
    from plan_prices r join plans p on p.slug = r.plan
    where r.plan = ${plan} and r.id = ${id} and not exists (
      select from plan_prices n where n.plan = r.plan and n.id > r.id and n.renewals_from_at <= r.renewals_from_at)`.execute(
    db,
  )
  return rows[0]
}

/** `extras` are those with which the server renews. */
export type Unnoticed = { user_id: string; public_id: string; name: string; extras: KeptExtra[] | null }

/** Returns servers that renew this plan automatically and whose owners were not mailed about this rise, and marks them as mailed. */
export async function claimUnnoticed(tx: Tx, { id, plan }: Rise, limit: number): Promise<Unnoticed[]> {
  const { rows } = await sql<Unnoticed>`
    with found as (
      select w.host_id, r.user_id, r.public_id, r.name
      from licence_watches w join plan_renewals r on r.host_id = w.host_id
      where r.plan = ${plan} and r.ends_at > now() - make_interval(days => ${lastTry.days}) and coalesce(w.price_told, 0) < ${id}
      order by w.host_id limit ${limit} for update of w),
    told as (
      update licence_watches w set price_told = ${id} from found where w.host_id = found.host_id)
    select user_id, public_id, name, coalesce(extras_at_end(host_id), (
      select o.extras from paid_periods p join licence_orders o on o.id = p.order_id
      where p.host_id = found.host_id and p.ended is null order by p.ends_at desc limit 1)) as extras
    from found order by host_id`.execute(tx)
  return rows
}
