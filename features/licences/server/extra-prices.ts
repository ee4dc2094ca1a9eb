import type { HostRow, KeptExtra } from '#features/hosts/server/hosts.ts'
import { netOfPiece } from '#features/licences/rules.ts'
import type { App } from '#foundation/server/app.ts'
import { badRequest } from '#foundation/server/http/http-error.ts'
import { toMoney } from '#foundation/money.ts'
import type { Plan } from '#features/licences/contract.ts'
import type { ChosenExtras } from '#features/licences/extra-fields.ts'
import { hasHad } from './extra-queries.ts'
import type { OfferedExtra, PlanRow } from './plan-queries.ts'

/** An extra of an order, with the price before VAT of one piece for the sold term, and of all pieces (minor units). */
export type SoldExtra = KeptExtra & { piece_net: bigint; net: bigint }

type Having = Pick<HostRow, 'periods' | 'extras_at_end'>
type Sold = Pick<PlanRow, 'edition' | 'term' | 'extras'>

/** The add-ons with which a licence renews, at the prices that were agreed: those chosen for its end, or those of its last order. */
export const heldExtras = (host: Having | undefined): readonly KeptExtra[] =>
  host?.extras_at_end ?? addonsOf(host?.periods.at(-1)?.extras)

export const addonsOf = (extras: readonly KeptExtra[] | null | undefined): readonly KeptExtra[] =>
  (extras ?? []).filter(({ kind }) => kind === 'addon')

/**
 * Returns the add-ons and one-offs of an order: those that it names, or else the ones that are held. An extra that is held keeps its agreed price, and
 * may stay when the catalogue has it no more. Throws 400 `unknown_extra` or `quantity_too_large`, @extras.
 */
export function extrasOf(
  plan: Sold,
  host: Having | undefined,
  wanted: ChosenExtras | undefined,
): SoldExtra[] {
  const held = heldExtras(host)
  if (wanted === undefined) return held.map((kept) => soldFor(kept, plan))
  return wanted.map(({ extra, quantity }) => {
    const kept = held.find((one) => one.extra === extra)
    const offered = plan.extras.find(({ slug, kind }) => slug === extra && kind !== 'setup')
    const agreed = kept ?? (offered && asAgreed(offered))
    if (!agreed) throw badRequest('unknown_extra', 'extras')
    if (quantity > Math.max(offered?.most ?? 0, kept?.quantity ?? 0))
      throw badRequest('quantity_too_large', 'extras')
    return soldFor({ ...agreed, quantity }, plan)
  })
}

/** Returns the setup fees of an order of a plan: those of an edition with which the host was never paid for. */
export async function setupsFor(
  db: App['db'],
  plan: Sold,
  host_id: bigint | undefined,
): Promise<SoldExtra[]> {
  const fees = plan.extras.filter(({ kind }) => kind === 'setup')
  // A host that is still to be made has a negative number in a preview.
  const isNew = host_id === undefined || host_id < 0n
  if (fees.length === 0 || (!isNew && (await hasHad(db, host_id, plan.edition)))) return []
  return fees.map((fee) => soldFor(asAgreed(fee), plan))
}

const asAgreed = ({ slug: extra, kind, name, net }: OfferedExtra): KeptExtra => ({
  extra,
  kind,
  name,
  unit: net.toString(),
  quantity: 1,
})

export function soldFor(kept: KeptExtra, { term }: Pick<PlanRow, 'term'>): SoldExtra {
  const piece_net = netOfPiece(kept.kind, BigInt(kept.unit), term)
  return { ...kept, piece_net, net: piece_net * BigInt(kept.quantity) }
}

/** An extra as an order keeps it. */
export const asKept = ({ extra, kind, name, unit, quantity }: KeptExtra): KeptExtra => ({
  extra,
  kind,
  name,
  unit,
  quantity,
})

export const netOf = (extras: readonly Pick<SoldExtra, 'net'>[]): bigint =>
  extras.reduce((sum, { net }) => sum + net, 0n)

/** The part of an order's extras that is not for time: fees and one-offs cost the same whatever the term is. */
export const onceNetOf = (extras: readonly KeptExtra[] | null | undefined): bigint =>
  (extras ?? []).reduce(
    (sum, { kind, unit, quantity }) => sum + (kind === 'addon' ? 0n : BigInt(unit) * BigInt(quantity)),
    0n,
  )

/** The extras that a plan offers a host: the due fees, those of its edition, and add-ons that are held from before. */
export function offeredExtras(
  app: App,
  plan: Sold,
  host: Having | undefined,
  isSetUp: boolean,
): NonNullable<Plan['extras']> {
  const held = new Map(heldExtras(host).map((kept) => [kept.extra, kept]))
  const listed = plan.extras
    .filter(({ kind }) => kind !== 'setup' || !isSetUp)
    .map((offered) => ({ kept: held.get(offered.slug) ?? asAgreed(offered), most: offered.most }))
  const former = [...held.values()].filter(({ extra }) => !plan.extras.some(({ slug }) => slug === extra))
  return [...listed, ...former.map((kept) => ({ kept, most: kept.quantity }))].map(({ kept, most }) => ({
    slug: kept.extra,
    name: kept.name,
    kind: kept.kind,
    price_net: toMoney(soldFor(kept, plan).piece_net, app.config.currency),
    most: Math.max(most, held.get(kept.extra)?.quantity ?? 0),
    quantity: kept.kind === 'setup' ? 1 : (held.get(kept.extra)?.quantity ?? 0),
  }))
}
