import { sql } from 'kysely'
import type { ExtraKind } from '#features/licences/rules.ts'
import type { Translated } from '#foundation/locale.ts'
import type { App } from '#foundation/server/app.ts'
import { batched } from '#foundation/server/database/batched.ts'
import { lockByName, type Tx } from '#foundation/server/database/transaction.ts'
import { must } from '#foundation/must.ts'
import {
  firstTry,
  lastTry,
  netAt,
  type DatedPrice,
  type ProductKind,
  type Term,
} from '#features/licences/rules.ts'

/** The product of a plan, by the plan's edition. */
type PlanProduct = { slug: string; name: Translated; kind: ProductKind; asks_address: boolean }

/** `net` in minor units before VAT: the price of one piece, of an add-on for a month. */
export type OfferedExtra = { slug: string; kind: ExtraKind; name: Translated; net: bigint; most: number }

/** Amounts in minor units of the installation's currency, before VAT. */
export type PlanRow = {
  slug: string
  edition: string
  product: PlanProduct
  name: Translated
  term: Term
  /** The price of an order now. */
  price_net: bigint
  /** The price of a renewal now. */
  renewal_net: bigint
  /** The price that renewals cost now, and all prices that were set after it, in the order in which they were set. */
  prices: DatedPrice[]
  /** The extras that an order may have, or must have, as of now. */
  extras: OfferedExtra[]
  is_active: boolean
  /** False if the plan, its edition or its product is retired. */
  is_sold: boolean
  sort: number
  version: number
}

type Stored = Omit<PlanRow, 'price_net' | 'renewal_net' | 'prices' | 'extras'> & {
  extras: (Omit<OfferedExtra, 'net'> & { net: string })[]
  prices: { net: string; from_at: string; renewals_from_at: string }[]
  now: Date
}

const columns = sql`p.slug, p.edition, json_build_object('en', p.name_en, 'de', p.name_de, 'ru', p.name_ru) as name, p.term,
  p.is_active, p.is_active and e.is_active and d.is_active as is_sold,
  json_build_object('slug', d.slug, 'name', d.name, 'kind', d.kind, 'asks_address', d.asks_address) as product, p.sort, p.version, now() as now,
  (select json_agg(json_build_object('net', r.net::text, 'from_at', r.from_at, 'renewals_from_at', r.renewals_from_at) order by r.id)
    from plan_prices r where r.plan = p.slug and r.id >= coalesce((
      select max(q.id) from plan_prices q where q.plan = p.slug and q.renewals_from_at <= now()), 0)) as prices,
  coalesce((select json_agg(json_build_object('slug', x.slug, 'kind', x.kind, 'name', x.name, 'net', x.net::text, 'most', x.most)
      order by x.sort, x.created_at, x.slug)
    from extras x where x.edition = p.edition and x.is_active), '[]'::json) as extras`

const planRows = sql`from plans p join editions e on e.slug = p.edition join products d on d.slug = e.product`

/** Computes the present prices; a plan that was added after this transaction began has its first price. */
function toPlanRow({ now, ...row }: Stored): PlanRow {
  const prices = row.prices.map(({ net, from_at, renewals_from_at }) => ({
    net: BigInt(net),
    from_at: new Date(from_at),
    renewals_from_at: new Date(renewals_from_at),
  }))
  const netOf = (since: 'from_at' | 'renewals_from_at') => netAt(prices, since, now) ?? must(prices[0]).net
  const extras = row.extras.map((extra) => ({ ...extra, net: BigInt(extra.net) }))
  return { ...row, prices, extras, price_net: netOf('from_at'), renewal_net: netOf('renewals_from_at') }
}

/** The whole catalogue, in the operator's order. */
export async function allPlans(db: App['db']): Promise<PlanRow[]> {
  const { rows } = await sql<Stored>`select ${columns} ${planRows} order by p.sort, p.slug`.execute(db)
  return rows.map(toPlanRow)
}

/** True in production if nothing is for sale; a trial is no shop. */
export const lacksPlan = async (db: App['db'], { production }: Pick<App['config'], 'production'>) =>
  production && !(await allPlans(db)).some((plan) => plan.is_sold)

export const planBySlug = batched(async (db: App['db'], slugs: readonly string[]) => {
  const { rows } =
    await sql<Stored>`select ${columns} ${planRows} where p.slug = any(${slugs}::text[])`.execute(db)
  return new Map(rows.map((row) => [row.slug, toPlanRow(row)]))
})

/** Locks by one statement and reads by the next, which then sees the prices of the transaction that had the lock before. */
export async function lockPlan(tx: Tx, slug: string): Promise<PlanRow | undefined> {
  await sql`select from plans where slug = ${slug} for no key update`.execute(tx)
  return planBySlug(tx, slug)
}

type Sold = Pick<PlanRow, 'slug' | 'name' | 'term' | 'price_net' | 'is_active' | 'sort'> & {
  edition?: string | undefined
}

/** Adds a plan with its first price; false if the slug is taken. Without `edition` the plan gets an edition of its own, named after the plan. */
export async function insertPlan(tx: Tx, { price_net, edition, ...plan }: Sold): Promise<boolean> {
  const { slug, name, term, is_active, sort } = plan
  const own = edition ?? slug.replace(/-(month|quarter|year)$/, '')
  const { rows } = await sql`
    with edition as (
      insert into editions (slug, name, rank)
      select ${own}, ${JSON.stringify(name)}::jsonb, least(9999, 10 + coalesce((select max(rank) from editions), 0))
      where ${edition === undefined} and not exists (select from plans where slug = ${slug})
      on conflict do nothing),
    plan as (
      insert into plans (slug, edition, name_en, name_de, name_ru, term, is_active, sort)
      values (${slug}, ${own}, ${name.en}, ${name.de}, ${name.ru}, ${term}, ${is_active}, ${sort})
      on conflict (slug) do nothing returning slug)
    insert into plan_prices (plan, net, from_at, renewals_from_at)
    select slug, ${price_net}::bigint, now(), now() from plan returning plan`.execute(tx)
  return rows.length === 1
}

/** Writes the editable fields of a plan; the term stays, for hosts were sold with it. */
export async function updatePlan(
  tx: Tx,
  slug: string,
  { name, ...fields }: Pick<PlanRow, 'name' | 'edition' | 'is_active' | 'sort'>,
): Promise<void> {
  const names = { name_en: name.en, name_de: name.de, name_ru: name.ru }
  await tx
    .updateTable('plans')
    .set({ ...names, ...fields, version: sql`version + 1` })
    .where('slug', '=', slug)
    .execute()
}

/** Locks the order of the plans: nobody else changes it until the transaction ends. */
export const lockOrder = (tx: Tx): Promise<void> => lockByName(tx, 'order_of_plans')

/** Writes this order of the plans; their versions stay. */
export async function saveOrder(tx: Tx, slugs: readonly string[]): Promise<void> {
  await sql`
    update plans p set sort = given.place from unnest(${[...slugs]}::text[]) with ordinality as given (slug, place)
    where p.slug = given.slug`.execute(tx)
}

/** Adds a price, which is never changed or deleted afterwards. Returns the id of its row. */
export async function insertPrice(
  tx: Tx,
  plan: string,
  { net, from_at, renewals_from_at }: DatedPrice,
): Promise<bigint> {
  const { id } = await tx
    .insertInto('plan_prices')
    .values({ plan, net, from_at, renewals_from_at })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Returns the time at which the transaction began, by the database's clock: a price that counts at once counts from then on. */
export async function timeOf(tx: Tx): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select date_trunc('milliseconds', now()) as now`.execute(tx)
  return must(rows[0]).now
}

/** How many servers renew each plan by themselves, by slug. */
export async function renewingByPlan(db: App['db']): Promise<Map<string, number>> {
  const { rows } = await sql<{ plan: string; hosts: number }>`
    select plan, count(*)::int as hosts from plan_renewals
    where ends_at > now() - make_interval(days => ${lastTry.days}) group by plan`.execute(db)
  return new Map(rows.map(({ plan, hosts }) => [plan, hosts]))
}

/**
 * Returns the prices before VAT that servers would pay at their next renewal with a plan, each with the number of servers and customers, if
 * renewals of the plan cost `net` from `renewals_from_at` on. The dearest price is the first.
 */
export async function renewalsAt(
  db: App['db'],
  slug: string,
  { net, renewals_from_at }: Pick<DatedPrice, 'net' | 'renewals_from_at'>,
): Promise<{ price_net: bigint; hosts: number; customers: number }[]> {
  const { rows } = await sql<{ price_net: bigint; hosts: number; customers: number }>`
    select least(announced_net, price)::bigint as price_net, count(*)::int as hosts, count(distinct user_id)::int as customers
    from plan_renewals,
      lateral (select greatest(ends_at + make_interval(days => ${firstTry.days}), now()) as at) as tried,
      lateral (select case when tried.at >= ${renewals_from_at} then ${net}::bigint else (
        select r.net from plan_prices r where r.plan = ${slug} and r.renewals_from_at <= tried.at
        order by r.id desc limit 1) end as price) as at_renewal
    where plan = ${slug} and ends_at > now() - make_interval(days => ${lastTry.days})
    group by 1 order by 1 desc`.execute(db)
  return rows
}
