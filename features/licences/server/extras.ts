import { must } from '#foundation/must.ts'
import { recordAction } from '#foundation/server/audit/audit.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { badRequest, HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { locales } from '#foundation/locale.ts'
import { assertEdition, changedIn, merged, type SomeTexts, type Who } from './editions.ts'
import * as queries from './extra-queries.ts'
import { HasChanged } from './has-changed.ts'
import type { ExtraRow } from './extra-queries.ts'

type NewExtra = Pick<ExtraRow, 'slug' | 'edition' | 'kind' | 'name' | 'net' | 'most'>

/**
 * Adds an extra to an edition, with a line in the audit unless nobody is named. Throws 409 `slug_taken`, 400 `unknown_edition`@edition,
 * `invalid`@most for a fee of more than one piece.
 */
export async function addExtra(tx: Tx, extra: NewExtra, who?: Who): Promise<ExtraRow> {
  await assertEdition(tx, extra.edition)
  if (extra.kind === 'setup' && extra.most !== 1) throw badRequest('invalid', 'most')
  const sort = (await queries.allExtras(tx)).length
  if (!(await queries.insertExtra(tx, { ...extra, sort })))
    throw new HttpError(409, [{ code: 'slug_taken', param: 'slug' }])
  const { slug, edition, kind, net } = extra
  if (who) {
    const detail = { by: who.by, extra: slug, edition, kind, price_net: net.toString() }
    await recordAction(tx, { user_id: null, act: 'extra.made', ...who.origin, detail })
  }
  return must(await queries.extraBySlug(tx, slug))
}

type ExtraChange = {
  name?: SomeTexts
  net?: bigint | undefined
  most?: number | undefined
  is_active?: boolean | undefined
  /** The version of the extra that was edited; ExtraHasChanged is thrown if the extra has another version by now. */
  version?: number
}

export class ExtraHasChanged extends HasChanged<ExtraRow> {}

/**
 * Changes an extra for an operator, with a line in the audit. Prices that were agreed stay, and so do add-ons of licences that have them
 * (decision 207). Throws 404, ExtraHasChanged, 400 `invalid`@most for a fee of more than one piece.
 */
export async function changeExtra(
  tx: Tx,
  slug: string,
  { version, name, net, most, is_active }: ExtraChange,
  { by, origin }: Who,
): Promise<ExtraRow> {
  const before = await queries.lockExtra(tx, slug)
  if (!before) throw notFound()
  if (version !== undefined && version !== before.version) throw new ExtraHasChanged(before)
  if (before.kind === 'setup' && (most ?? 1) !== 1) throw badRequest('invalid', 'most')
  await queries.updateExtra(tx, {
    slug,
    name: merged(before.name, name),
    net: net ?? before.net,
    most: most ?? before.most,
    is_active: is_active ?? before.is_active,
  })
  const after = must(await queries.extraBySlug(tx, slug))
  const detail = { by, extra: slug, ...changedIn(asTexts(before), asTexts(after)) }
  await recordAction(tx, { user_id: null, act: 'extra.changed', ...origin, detail })
  return after
}

const asTexts = ({ name, net, most, is_active }: ExtraRow): Record<string, string> => ({
  ...Object.fromEntries(locales.map((locale) => [`name.${locale}`, name[locale]])),
  price_net: net.toString(),
  most: String(most),
  is_active: String(is_active),
})
