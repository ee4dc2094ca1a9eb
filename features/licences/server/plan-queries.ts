import { sql } from 'kysely'
import type { Translated } from '#foundation/locale.ts'
import type { App } from '#foundation/server/app.ts'
import { batched } from '#foundation/server/database/batched.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Term } from '#features/licences/rules.ts'

/** `price_net` in minor units of the installation's currency. */
export type PlanRow = {
  slug: string
  name: Translated
  term: Term
  price_net: bigint
  is_active: boolean
  sort: number
}

const columns = sql`slug, json_build_object('en', name_en, 'de', name_de, 'ru', name_ru) as name, term, price_net,
  is_active, sort`

/** The whole catalogue, in the operator's order. */
export async function allPlans(db: App['db']): Promise<PlanRow[]> {
  const { rows } = await sql<PlanRow>`select ${columns} from plans order by sort, price_net, slug`.execute(db)
  return rows
}

export const planBySlug = batched(async (db: App['db'], slugs: readonly string[]) => {
  const { rows } =
    await sql<PlanRow>`select ${columns} from plans where slug = any(${slugs}::text[])`.execute(db)
  return new Map(rows.map((row) => [row.slug, row]))
})

/** Adds a plan; false if the slug is taken. */
export async function insertPlan(tx: Tx, { name, ...plan }: PlanRow): Promise<boolean> {
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
  { name, price_net, is_active, sort }: Omit<PlanRow, 'slug' | 'term'>,
): Promise<void> {
  const names = { name_en: name.en, name_de: name.de, name_ru: name.ru }
  await tx
    .updateTable('plans')
    .set({ ...names, price_net, is_active, sort })
    .where('slug', '=', slug)
    .execute()
}
