import { sql } from 'kysely'
import type { Translated } from '#foundation/locale.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { ProductKind } from '#features/licences/rules.ts'

export type ProductRow = {
  slug: string
  name: Translated
  description: Translated
  kind: ProductKind
  /** True if a licence is ordered for an address. */
  asks_address: boolean
  is_active: boolean
  sort: number
  version: number
}

const columns = sql`p.slug, p.name, p.description, p.kind, p.asks_address, p.is_active, p.sort, p.version`

/** All products, in the operator's order. */
export async function allProducts(db: App['db']): Promise<ProductRow[]> {
  const { rows } = await sql<ProductRow>`
    select ${columns} from products p order by p.sort, p.created_at, p.slug`.execute(db)
  return rows
}

export async function productBySlug(db: App['db'], slug: string): Promise<ProductRow | undefined> {
  const { rows } = await sql<ProductRow>`select ${columns} from products p where p.slug = ${slug}`.execute(db)
  return rows[0]
}

/** Locks by one statement and reads by the next, as `lockPlan` does. */
export async function lockProduct(tx: Tx, slug: string): Promise<ProductRow | undefined> {
  await sql`select from products where slug = ${slug} for no key update`.execute(tx)
  return productBySlug(tx, slug)
}

export type StoredProduct = Omit<ProductRow, 'asks_address' | 'is_active' | 'version'>

/** Returns false, with nothing written, if the slug is taken. */
export async function insertProduct(
  tx: Tx,
  { slug, name, description, kind, sort }: StoredProduct,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into products (slug, name, description, kind, sort)
    values (${slug}, ${json(name)}, ${json(description)}, ${kind}, ${sort})
    on conflict do nothing`.execute(tx)
  return numAffectedRows === 1n
}

/** Writes the editable fields of a product; its kind stays, for hosts were made with it. */
export async function updateProduct(
  tx: Tx,
  { slug, name, description, is_active, sort }: Omit<ProductRow, 'kind' | 'asks_address' | 'version'>,
): Promise<void> {
  await sql`
    update products set name = ${json(name)}, description = ${json(description)}, is_active = ${is_active},
      sort = ${sort}, version = version + 1
    where slug = ${slug}`.execute(tx)
}

const json = (value: object) => sql`${JSON.stringify(value)}::jsonb`
