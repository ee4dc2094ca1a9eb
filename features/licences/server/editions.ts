import { must } from '#foundation/must.ts'
import { recordAction, type Origin } from '#foundation/server/audit/audit.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { badRequest, HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { FIRST_PRODUCT } from '#features/licences/rules.ts'
import { locales, type Locale, type Translated } from '#foundation/locale.ts'
import * as queries from './edition-queries.ts'
import type { EditionRow } from './edition-queries.ts'
import { HasChanged } from './has-changed.ts'
import { productBySlug } from './product-queries.ts'

/** The author of a change: the id of a member of staff or 'command line', with the origin of the request. */
export type Who = { by: string; origin?: Origin }

export type NewEdition = Omit<EditionRow, 'version' | 'is_active' | 'product'> & {
  /** Without it, an edition of the first product. */
  product?: string | undefined
}

/** Throws 400 `unknown_edition`@edition, also for one of another product than the plan has. */
export async function assertEdition(tx: Tx, slug: string | undefined, product?: string): Promise<void> {
  if (slug === undefined) return
  const edition = await queries.editionBySlug(tx, slug)
  if (!edition || (product !== undefined && edition.product !== product))
    throw badRequest('unknown_edition', 'edition')
}

/** Adds an edition, which customers can order once it has a plan. Throws 409 `slug_taken`, 400 `unknown_product`@product. */
export async function addEdition(tx: Tx, edition: NewEdition): Promise<EditionRow> {
  const { product = FIRST_PRODUCT } = edition
  if (product !== FIRST_PRODUCT && !(await productBySlug(tx, product)))
    throw badRequest('unknown_product', 'product')
  if (!(await queries.insertEdition(tx, { ...edition, product })))
    throw new HttpError(409, [{ code: 'slug_taken', param: 'slug' }])
  return must(await queries.editionBySlug(tx, edition.slug))
}

/** Adds an edition for an operator, with a line in the audit. Throws 409 `slug_taken`. */
export async function makeEdition(tx: Tx, edition: NewEdition, { by, origin }: Who): Promise<EditionRow> {
  const added = await addEdition(tx, edition)
  await recordAction(tx, {
    user_id: null,
    act: 'edition.made',
    ...origin,
    detail: { by, edition: edition.slug, ...(added.product !== FIRST_PRODUCT && { product: added.product }) },
  })
  return added
}

/** A change of an edition; texts in languages that are left out stay as they are. */
type EditionChange = {
  name?: SomeTexts
  description?: SomeTexts
  features?: EditionRow['features'] | undefined
  entitlements?: EditionRow['entitlements'] | undefined
  trial_days?: number | undefined
  rank?: number | undefined
  is_active?: boolean | undefined
  /** The version of the edition that was edited; EditionHasChanged is thrown if the edition has another version by now. */
  version?: number
}
export type SomeTexts = { [Language in Locale]?: string | undefined } | undefined

export class EditionHasChanged extends HasChanged<EditionRow> {}

/**
 * Changes an edition for an operator, with a line in the audit. Running licences keep the entitlements that they were bought with, and gain
 * those added to the edition (decision 031). Throws 404, EditionHasChanged.
 */
export async function changeEdition(
  tx: Tx,
  slug: string,
  { version, name, description, features, entitlements, rank, trial_days, is_active }: EditionChange,
  { by, origin }: Who,
): Promise<EditionRow> {
  const before = await queries.lockEdition(tx, slug)
  if (!before) throw notFound()
  if (version !== undefined && version !== before.version) throw new EditionHasChanged(before)
  await queries.updateEdition(tx, {
    ...before,
    name: merged(before.name, name),
    description: merged(before.description, description),
    features: features ?? before.features,
    entitlements: entitlements ?? before.entitlements,
    rank: rank ?? before.rank,
    trial_days: trial_days ?? before.trial_days,
    is_active: is_active ?? before.is_active,
  })
  const after = must(await queries.editionBySlug(tx, slug))
  const detail = { by, edition: slug, ...changedIn(asTexts(before), asTexts(after)) }
  await recordAction(tx, { user_id: null, act: 'edition.changed', ...origin, detail })
  return after
}

export const merged = (before: Translated, change: SomeTexts): Translated => ({
  en: change?.en ?? before.en,
  de: change?.de ?? before.de,
  ru: change?.ru ?? before.ru,
})

/** The fields that differ, as the audit keeps them. */
export const changedIn = (was: Readonly<Record<string, string>>, is: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(is).flatMap(([field, text]) =>
      was[field] === text ? [] : [[field, text] as const, [`${field}_before`, was[field] ?? ''] as const],
    ),
  )

/** The features of a language are one text. */
const asTexts = ({ name, description, features, entitlements, rank, trial_days, is_active }: EditionRow) =>
  ({
    ...Object.fromEntries(
      locales.flatMap((locale) => [
        [`name.${locale}`, name[locale]],
        [`description.${locale}`, description[locale]],
        [`features.${locale}`, features.map((text) => text[locale]).join(' · ')],
      ]),
    ),
    entitlements: JSON.stringify(entitlements),
    rank: String(rank),
    trial_days: String(trial_days),
    is_active: String(is_active),
  }) as Record<string, string>
