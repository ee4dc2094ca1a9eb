import { nearest, withVat } from '#tests/faults/licences/model.ts'
import { addEdition, addExtra, addPlan, makePromoCode } from '#features/licences/server/licences.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { goods as shopGoods, stockShop } from '#tests/harness/shop.ts'
import { sellProgram } from '#tests/harness/programs.ts'
import type { Installation } from '#tests/faults/installation.ts'

// The catalogue of the stories, and its prices as the model knows them: before VAT, in cents.

type Sold = { net: bigint; months: bigint; edition: string; isProgram: boolean }
const server = { edition: 'standard', isProgram: false }
const rich = { edition: 'rich', isProgram: false }

export const plans = {
  'standard-month': { ...server, net: 1990n, months: 1n },
  'standard-quarter': { ...server, net: 5400n, months: 3n },
  'standard-year': { ...server, net: 19900n, months: 12n },
  'rich-month': { ...rich, net: 3333n, months: 1n },
  'rich-quarter': { ...rich, net: 8887n, months: 3n },
  'agent-solo-month': { edition: 'agent-solo', isProgram: true, net: 1000n, months: 1n },
} as const satisfies Record<string, Sold>
export type PlanSlug = keyof typeof plans

/** The extras of an edition: a fee, an add-on a month and piece, and what is paid once. */
const extras: Record<string, { fee: bigint; seat: bigint; once: bigint }> = {
  rich: { fee: 1717n, seat: 333n, once: 4999n },
  'agent-solo': { fee: 501n, seat: 129n, once: 999n },
}
/** No order takes more of an add-on, nor of what is paid once. */
export const MOST = 5

export type Promo = {
  code: string
  percent: bigint | null
  amount: bigint | null
  edition: string | null
  renewals: number
  left: number
}
/** The contents of an order: its plan, the add-ons that renewals keep, and the code with the renewals that it still lowers. */
export type Bought = { plan: PlanSlug; seats: Record<string, number>; promo: Promo | null; left: number }
/** Without `named`, an order keeps the add-ons that there are. */
export type Wish = {
  plan: PlanSlug
  named?: { seats: number; once: number } | undefined
  promo?: Promo | undefined
}
export type Offer = { total: bigint; bought: Bought }

export async function stockGoods(installation: Installation): Promise<void> {
  const inAll = (text: string) => ({ en: text, de: text, ru: text })
  await stockShop(installation)
  await sellProgram(installation)
  await transaction(installation.app, 'system', async (tx) => {
    const nothing = { description: inAll(''), features: [], trial_days: 0, entitlements: {} }
    await addEdition(tx, { ...nothing, slug: 'rich', name: inAll('Rich'), rank: 50 })
    for (const [slug, { edition, net: price_net, months }] of Object.entries(plans))
      if (edition === 'rich')
        await addPlan(tx, {
          slug,
          name: inAll(slug),
          term: months === 1n ? 'P1M' : 'P3M',
          price_net,
          edition,
        })
    for (const [edition, { fee, seat, once }] of Object.entries(extras))
      for (const [kind, net] of [
        ['setup', fee],
        ['addon', seat],
        ['once', once],
      ] as const) {
        const slug = extraCalled(edition, kind)
        await addExtra(tx, { slug, kind, net, most: kind === 'setup' ? 1 : MOST, edition, name: inAll(slug) })
      }
  })
}

const extraCalled = (edition: string, kind: 'setup' | 'addon' | 'once'): string => `${edition}-${kind}`

let made = 0
/** Makes the codes of a story: a share that goes on for a renewal, and an amount for one edition. */
export async function makeCodes({ app }: Installation): Promise<Promo[]> {
  const kinds = [
    { percent: 33n, amount: null, edition: null, renewals: 1, left: 2 },
    { percent: 15n, amount: null, edition: null, renewals: 0, left: 3 },
    { percent: null, amount: 777n, edition: 'rich', renewals: 1, left: 2 },
  ]
  return transaction(app, 'system', async (tx) => {
    const codes: Promo[] = []
    for (const { left, percent, edition, ...kind } of kinds) {
      const code = `MODEL-${(made += 1)}`
      const wanted = { first_order_only: false, note: '', expires_at: null, uses: left, code }
      const editions = edition === null ? null : [edition]
      const share = percent === null ? null : Number(percent)
      await makePromoCode(app, tx, { ...wanted, ...kind, percent: share, editions }, { by: null })
      codes.push({ ...kind, code, percent, edition, left })
    }
    return codes
  })
}

/** The extras of a wish as an order names them. */
export const extrasIn = ({ plan, named }: Wish) => {
  const { edition } = plans[plan]
  const all = [
    { extra: extraCalled(edition, 'addon'), quantity: named?.seats ?? 0 },
    { extra: extraCalled(edition, 'once'), quantity: named?.once ?? 0 },
  ]
  return named && { extras: all.filter(({ quantity }) => quantity > 0) }
}

const holdsFor = ({ edition }: Promo, plan: PlanSlug): boolean =>
  edition === null || edition === plans[plan].edition

/** The price of an order behind `last`; `isNew` is true where the fee of the edition is due. With what it leaves for the next renewal. */
export function priceOf(
  { plan, named, promo: typed }: Wish,
  { last, isNew }: { last: Bought | undefined; isNew: boolean },
  rate_bp: bigint,
): Offer {
  const { net, months, edition } = plans[plan]
  const seats = named ? { [edition]: named.seats } : (last?.seats ?? {})
  const held = last && last.left > 0 ? { promo: last.promo, left: last.left - 1 } : { promo: null, left: 0 }
  const asked = typed ? { promo: typed, left: typed.renewals } : held
  const { promo, left } = asked.promo && holdsFor(asked.promo, plan) ? asked : { promo: null, left: 0 }
  const addons = Object.entries(seats).map(([of, count]) => BigInt(count) * months * must(extras[of]).seat)
  const once = BigInt(named?.once ?? 0) * (extras[edition]?.once ?? 0n)
  const fee = isNew ? (extras[edition]?.fee ?? 0n) : 0n
  const sum = addons.reduce((all, one) => all + one, lowered(net, promo) + fee + once)
  return { total: withVat(sum, rate_bp).total, bought: { plan, seats, promo, left } }
}

function lowered(net: bigint, promo: Promo | null): bigint {
  if (!promo) return net
  const off = promo.percent === null ? must(promo.amount ?? undefined) : nearest(net, promo.percent, 100n)
  return off < net ? net - off : 0n
}

/** The prices of the shop are those of the model. */
for (const [slug, { price_net }] of Object.entries(shopGoods))
  if (plans[slug as PlanSlug].net !== price_net) throw new Error(`the model has another price for ${slug}`)
