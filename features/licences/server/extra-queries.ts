import { sql } from 'kysely'
import type { Translated } from '#foundation/locale.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { KeptExtra } from '#features/hosts/server/hosts.ts'
import type { ExtraKind } from '#features/licences/rules.ts'

export type ExtraRow = {
  slug: string
  edition: string
  kind: ExtraKind
  name: Translated
  /** Before VAT, in minor units: of an add-on for a month. */
  net: bigint
  /** The most pieces of one order. */
  most: number
  is_active: boolean
  sort: number
  version: number
}

const columns = sql`x.slug, x.edition, x.kind, x.name, x.net, x.most, x.is_active, x.sort, x.version`

/** All extras, in the operator's order, retired ones too. */
export async function allExtras(db: App['db']): Promise<ExtraRow[]> {
  const { rows } = await sql<ExtraRow>`
    select ${columns} from extras x order by x.sort, x.created_at, x.slug`.execute(db)
  return rows
}

export async function extraBySlug(db: App['db'], slug: string): Promise<ExtraRow | undefined> {
  const { rows } = await sql<ExtraRow>`select ${columns} from extras x where x.slug = ${slug}`.execute(db)
  return rows[0]
}

/** Locks by one statement and reads by the next, as `lockPlan` does. */
export async function lockExtra(tx: Tx, slug: string): Promise<ExtraRow | undefined> {
  await sql`select from extras where slug = ${slug} for no key update`.execute(tx)
  return extraBySlug(tx, slug)
}

/** Returns false, with nothing written, if the slug is taken. */
export async function insertExtra(
  tx: Tx,
  { slug, edition, kind, name, net, most, sort }: Omit<ExtraRow, 'is_active' | 'version'>,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into extras (slug, edition, kind, name, net, most, sort)
    values (${slug}, ${edition}, ${kind}, ${JSON.stringify(name)}::jsonb, ${net}, ${most}, ${sort})
    on conflict do nothing`.execute(tx)
  return numAffectedRows === 1n
}

/** Writes the editable fields of an extra; its edition and kind stay, for it was sold with them. */
export async function updateExtra(
  tx: Tx,
  { slug, name, net, most, is_active }: Pick<ExtraRow, 'slug' | 'name' | 'net' | 'most' | 'is_active'>,
): Promise<void> {
  await sql`
    update extras set name = ${JSON.stringify(name)}::jsonb, net = ${net}, most = ${most}, is_active = ${is_active},
      version = version + 1
    where slug = ${slug}`.execute(tx)
}

/** True if the host was ever paid for with this edition, but for what was given back. */
export async function hasHad(db: App['db'], host_id: bigint, edition: string): Promise<boolean> {
  return (await editionsHad(db, host_id)).includes(edition)
}

/** The editions with which a host was ever paid for, but for what was given back. */
export async function editionsHad(db: App['db'], host_id: bigint): Promise<string[]> {
  const { rows } = await sql<{ edition: string }>`
    select distinct p.edition from paid_periods p join licence_orders o on o.id = p.order_id
    where p.host_id = ${host_id} and o.kind <> 'trial' and p.ended is distinct from 'refunded'`.execute(db)
  return rows.map(({ edition }) => edition)
}

/** Writes the add-ons with which a licence renews. */
export async function putChosenExtras(
  tx: Tx,
  { host_id, user_id, extras }: { host_id: bigint; user_id: string; extras: readonly KeptExtra[] },
): Promise<void> {
  await sql`
    insert into chosen_extras (host_id, user_id, extras) values (${host_id}, ${user_id}, ${JSON.stringify(extras)}::jsonb)
    on conflict (host_id) do update set extras = excluded.extras, chosen_at = clock_timestamp()`.execute(tx)
}

/** Forgets the choice of add-ons for the end: the licence then renews with those that it has. */
export async function forgetChosenExtras(tx: Tx, host_id: bigint): Promise<void> {
  await tx.deleteFrom('chosen_extras').where('host_id', '=', host_id).execute()
}

/** Gives the choice of add-ons for the end to another account of the same person. */
export async function giveChosenExtras(tx: Tx, host_id: bigint, user_id: string): Promise<void> {
  await sql`update chosen_extras set user_id = ${user_id}::uuid where host_id = ${host_id}`.execute(tx)
}
