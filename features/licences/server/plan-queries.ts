import { sql } from 'kysely'
import type { Translated } from '#foundation/locale.ts'
import type { App } from '#foundation/server/app.ts'
import { batched } from '#foundation/server/database/batched.ts'
import { lockByName, type Tx } from '#foundation/server/database/transaction.ts'
import { firstTry, lastTry, type Term } from '#features/licences/rules.ts'

/** Amounts in minor units of the installation's currency: `price_net` is what counts now, `next_price_net` from `next_price_at` on. */
export type PlanRow = {
  slug: string
  name: Translated
  term: Term
  price_net: bigint
  next_price_net: bigint | null
  next_price_at: Date | null
  is_active: boolean
  sort: number
  version: number
}

const columns = sql`slug, json_build_object('en', name_en, 'de', name_de, 'ru', name_ru) as name, term,
  case when next_price_at <= now() then next_price_net else price_net end as price_net,
  case when next_price_at > now() then next_price_net end as next_price_net,
  case when next_price_at > now() then next_price_at end as next_price_at, is_active, sort, version`

/** The whole catalogue, in the operator's order. */
export async function allPlans(db: App['db']): Promise<PlanRow[]> {
  const { rows } =
    await sql<PlanRow>`select ${columns} from plans p order by p.sort, p.price_net, p.slug`.execute(db)
  return rows
}

export const planBySlug = batched(async (db: App['db'], slugs: readonly string[]) => {
  const { rows } =
    await sql<PlanRow>`select ${columns} from plans where slug = any(${slugs}::text[])`.execute(db)
  return new Map(rows.map((row) => [row.slug, row]))
})

/** A plan that nobody else changes until the transaction ends. */
export async function lockPlan(tx: Tx, slug: string): Promise<PlanRow | undefined> {
  const { rows } =
    await sql<PlanRow>`select ${columns} from plans where slug = ${slug} for no key update`.execute(tx)
  return rows[0]
}

/** Adds a plan; false if the slug is taken. */
export async function insertPlan(
  tx: Tx,
  { name, ...plan }: Omit<PlanRow, 'next_price_net' | 'next_price_at' | 'version'>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('plans')
    .values({ ...plan, name_en: name.en, name_de: name.de, name_ru: name.ru })
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** Writes the editable fields of a plan; its term was sold with hosts and stays. */
export async function updatePlan(
  tx: Tx,
  slug: string,
  { name, ...fields }: Omit<PlanRow, 'slug' | 'term' | 'version'>,
): Promise<void> {
  const names = { name_en: name.en, name_de: name.de, name_ru: name.ru }
  await tx
    .updateTable('plans')
    .set({ ...names, ...fields, version: sql`version + 1` })
    .where('slug', '=', slug)
    .execute()
}

/** Nobody else puts the plans into another order until the transaction ends. */
export const lockOrder = (tx: Tx): Promise<void> => lockByName(tx, 'order_of_plans')

/** The plans in this order, whose versions stay. */
export async function saveOrder(tx: Tx, slugs: readonly string[]): Promise<void> {
  await sql`
    update plans p set sort = given.place from unnest(${[...slugs]}::text[]) with ordinality as given (slug, place)
    where p.slug = given.slug`.execute(tx)
}

/** How many servers renew each plan by themselves, by slug. */
export async function renewingByPlan(db: App['db']): Promise<Map<string, number>> {
  const { rows } = await sql<{ plan: string; hosts: number }>`
    select plan, count(*)::int as hosts from plan_renewals
    where ends_at > now() - make_interval(days => ${lastTry.days}) group by plan`.execute(db)
  return new Map(rows.map(({ plan, hosts }) => [plan, hosts]))
}

/** What these servers pay at their next renewal, before VAT, if a plan costs `price_net` from a time on and until then what it costs now. */
export async function renewalsAt(
  db: App['db'],
  { slug, price_net }: Pick<PlanRow, 'slug' | 'price_net'>,
  next: { price_net: bigint; at: Date },
): Promise<{ price_net: bigint; hosts: number; customers: number }[]> {
  const { rows } = await sql<{ price_net: bigint; hosts: number; customers: number }>`
    select least(announced_net, price)::bigint as price_net, count(*)::int as hosts, count(distinct user_id)::int as customers
    from plan_renewals, lateral (select case
      when greatest(ends_at + make_interval(days => ${firstTry.days}), now()) >= ${next.at} then ${next.price_net}::bigint
      else ${price_net}::bigint end as price) as at_renewal
    where plan = ${slug} and ends_at > now() - make_interval(days => ${lastTry.days})
    group by 1 order by 1 desc`.execute(db)
  return rows
}
