import { sql } from 'kysely'
import type { Translated } from '#foundation/locale.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Entitlements } from '#features/licences/rules.ts'

export type EditionRow = {
  slug: string
  product: string
  name: Translated
  description: Translated
  /** Sentences, in the operator's order. */
  features: Translated[]
  /** A higher rank means a larger edition. */
  rank: number
  trial_days: number
  is_active: boolean
  entitlements: Entitlements
  version: number
}

const columns = sql`e.slug, e.product, e.name, e.description, e.features, e.rank, e.trial_days, e.is_active, e.version,
  coalesce((select jsonb_object_agg(t.key, t.value) from edition_entitlements t where t.edition = e.slug), '{}') as entitlements`

/** All editions, the lowest rank first. */
export async function allEditions(db: App['db']): Promise<EditionRow[]> {
  const { rows } = await sql<EditionRow>`select ${columns} from editions e order by e.rank, e.slug`.execute(
    db,
  )
  return rows
}

export async function editionBySlug(db: App['db'], slug: string): Promise<EditionRow | undefined> {
  const { rows } = await sql<EditionRow>`select ${columns} from editions e where e.slug = ${slug}`.execute(db)
  return rows[0]
}

/** Locks by one statement and reads by the next, as `lockPlan` does. */
export async function lockEdition(tx: Tx, slug: string): Promise<EditionRow | undefined> {
  await sql`select from editions where slug = ${slug} for no key update`.execute(tx)
  return editionBySlug(tx, slug)
}

/** Returns false, with nothing written, if the slug is taken. */
export async function insertEdition(
  tx: Tx,
  {
    slug,
    product,
    name,
    description,
    features,
    rank,
    trial_days,
    entitlements,
  }: Omit<EditionRow, 'version' | 'is_active'>,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into editions (slug, product, name, description, features, rank, trial_days)
    values (${slug}, ${product}, ${json(name)}, ${json(description)}, ${json(features)}, ${rank}, ${trial_days})
    on conflict do nothing`.execute(tx)
  if (numAffectedRows !== 1n) return false
  await writeEntitlements(tx, slug, entitlements)
  return true
}

export async function updateEdition(tx: Tx, edition: Omit<EditionRow, 'version'>): Promise<void> {
  const { slug, name, description, features, rank, trial_days, is_active, entitlements } = edition
  await sql`
    update editions set name = ${json(name)}, description = ${json(description)}, features = ${json(features)},
      rank = ${rank}, trial_days = ${trial_days}, is_active = ${is_active}, version = version + 1
    where slug = ${slug}`.execute(tx)
  await sql`delete from edition_entitlements where edition = ${slug}`.execute(tx)
  await writeEntitlements(tx, slug, entitlements)
}

async function writeEntitlements(tx: Tx, slug: string, entitlements: Entitlements): Promise<void> {
  await sql`
    insert into edition_entitlements (edition, key, type, value)
    select ${slug}, key, case jsonb_typeof(value) when 'boolean' then 'bool' when 'number' then 'int' else 'text' end, value
    from jsonb_each(${json(entitlements)})`.execute(tx)
}

const json = (value: object) => sql`${JSON.stringify(value)}::jsonb`
