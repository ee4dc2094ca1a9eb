import { must } from '#foundation/must.ts'
import { toMoney } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import { recordAction } from '#foundation/server/audit/audit.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { locales } from '#foundation/locale.ts'
import * as contract from '#features/licences/products.ts'
import { allEditions } from './edition-queries.ts'
import { changedIn, merged, type SomeTexts, type Who } from './editions.ts'
import { allPlans } from './plan-queries.ts'
import * as queries from './product-queries.ts'
import { HasChanged } from './has-changed.ts'
import type { ProductRow } from './product-queries.ts'

/** Answers `GET /api/products/`. */
export const listProducts = handler(contract.listProducts, async ({ app }) => ({
  status: 200,
  body: { items: await soldProducts(app, app.db) },
}))

/** Returns the products that can be ordered now, each with its editions and plans; one without a plan is not sold. */
async function soldProducts(app: App, db: App['db']): Promise<contract.SoldProduct[]> {
  const [products, editions, plans] = await Promise.all([
    queries.allProducts(db),
    allEditions(db),
    allPlans(db),
  ])
  const sold = Map.groupBy(
    plans.filter(({ is_sold }) => is_sold),
    ({ edition }) => edition,
  )
  return products
    .map(({ slug, name, kind, asks_address, description }) => ({
      slug,
      name,
      kind,
      asks_address,
      description,
      editions: editions
        .filter((edition) => edition.product === slug && sold.has(edition.slug))
        .map((edition) => ({
          slug: edition.slug,
          name: edition.name,
          description: edition.description,
          features: edition.features,
          entitlements: edition.entitlements,
          trial_days: edition.trial_days,
          plans: (sold.get(edition.slug) ?? []).map((plan) => ({
            slug: plan.slug,
            name: plan.name,
            term: plan.term,
            price_net: toMoney(plan.price_net, app.config.currency),
          })),
        })),
    }))
    .filter((product) => product.editions.length > 0)
}

type NewProduct = Pick<ProductRow, 'slug' | 'name' | 'description' | 'kind'>

/** Adds a product at the end of the catalogue, with a line in the audit unless nobody is named. Throws 409 `slug_taken`. */
export async function makeProduct(tx: Tx, product: NewProduct, who?: Who): Promise<ProductRow> {
  const sort = (await queries.allProducts(tx)).length
  if (!(await queries.insertProduct(tx, { ...product, sort })))
    throw new HttpError(409, [{ code: 'slug_taken', param: 'slug' }])
  if (who) {
    const detail = { by: who.by, product: product.slug, kind: product.kind }
    await recordAction(tx, { user_id: null, act: 'product.made', ...who.origin, detail })
  }
  return must(await queries.productBySlug(tx, product.slug))
}

/** A change of a product; texts in languages that are left out stay as they are. */
type ProductChange = {
  name?: SomeTexts
  description?: SomeTexts
  is_active?: boolean | undefined
  sort?: number | undefined
  /** The version of the product that was edited; ProductHasChanged is thrown if the product has another version by now. */
  version?: number
}

export class ProductHasChanged extends HasChanged<ProductRow> {}

/**
 * Changes a product for an operator, with a line in the audit. A retired product is not sold; what was sold can still be renewed. Its
 * kind stays. Throws 404, ProductHasChanged.
 */
export async function changeProduct(
  tx: Tx,
  slug: string,
  { version, name, description, is_active, sort }: ProductChange,
  { by, origin }: Who,
): Promise<ProductRow> {
  const before = await queries.lockProduct(tx, slug)
  if (!before) throw notFound()
  if (version !== undefined && version !== before.version) throw new ProductHasChanged(before)
  await queries.updateProduct(tx, {
    slug,
    name: merged(before.name, name),
    description: merged(before.description, description),
    is_active: is_active ?? before.is_active,
    sort: sort ?? before.sort,
  })
  const after = must(await queries.productBySlug(tx, slug))
  const detail = { by, product: slug, ...changedIn(asTexts(before), asTexts(after)) }
  await recordAction(tx, { user_id: null, act: 'product.changed', ...origin, detail })
  return after
}

const asTexts = ({ name, description, is_active, sort }: ProductRow) =>
  ({
    ...Object.fromEntries(
      locales.flatMap((locale) => [
        [`name.${locale}`, name[locale]],
        [`description.${locale}`, description[locale]],
      ]),
    ),
    is_active: String(is_active),
    sort: String(sort),
  }) as Record<string, string>
