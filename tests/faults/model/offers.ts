import { plans, priceOf, type Bought, type Offer, type PlanSlug, type Promo, type Wish } from './goods.ts'
import { pick, type KnownHost, type Person, type Story } from './story.ts'

/** An order that a customer wants to make. `code` is the place of a promo code; there is none behind the last. */
export type Given = {
  which: number
  plan: PlanSlug
  named: { seats: number; once: number } | undefined
  code: number | undefined
  renews: boolean
}
/** `host` is the one that is renewed, and `offers` are the prices that it may have: one, unless something was refunded. */
export type Purchase = { wish: Wish; host: KnownHost | undefined; ipv4: string | undefined; offers: Offer[] }

/** Returns what there is to buy; undefined where nothing is there to renew. */
export function purchaseOf(person: Person, story: Story, given: Given): Purchase | undefined {
  const { plan, named, code, renews, which } = given
  const { isProgram, edition } = plans[plan]
  const host = renews
    ? pick(
        person.hosts.filter((one) => one.isProgram === isProgram),
        which,
      )
    : undefined
  if (renews && !host) return undefined
  const promo = code === undefined ? undefined : story.codes[code]
  const wish: Wish = { plan, promo, named: edition === 'standard' ? undefined : named }
  const ipv4 = isProgram || host ? undefined : pick(story.addresses, which)
  return { wish, host, ipv4, offers: offersOf(person, wish, host) }
}

/** Returns the prices that the next order of a host may have, and that of a first order. */
function offersOf({ rate_bp }: Person, wish: Wish, host: KnownHost | undefined): Offer[] {
  const had = host?.bought ?? []
  const hadEdition = had.some(({ plan }) => plans[plan].edition === plans[wish.plan].edition)
  if (!host || host.isSure) return [priceOf(wish, { last: had.at(-1), isNew: !hadEdition }, rate_bp)]
  const lasts: (Bought | undefined)[] = [...had.toReversed(), undefined]
  const all = lasts.flatMap((last) =>
    [!hadEdition, hadEdition].map((isNew) => priceOf(wish, { last, isNew }, rate_bp)),
  )
  return all.filter(({ total }, place) => all.findIndex((one) => one.total === total) === place)
}

/** The offers of an automatic renewal: the plan of the last order. */
export const renewalsOf = (person: Person, host: KnownHost): Offer[] => {
  const last = host.bought.slice(host.isSure ? -1 : 0)
  return last.flatMap(({ plan }) => offersOf(person, { plan }, host))
}

/** True for a host whose next price is that of its plan. */
export const isPlain = ({ bought, isSure }: KnownHost): boolean =>
  isSure &&
  bought.every(({ seats, left }) => Object.values(seats).every((count) => count === 0) && left === 0)

/** Counts that somebody has bought. */
export function countBought(person: Person, host: KnownHost, { promo: typed }: Wish, bought: Bought): void {
  host.bought.push(bought)
  if (!typed) return
  person.used.add(typed)
  typed.left -= 1
}

/** True if a promo code must be refused for this order. */
export const isRefused = ({ used }: Person, promo: Promo | undefined, plan: PlanSlug): boolean =>
  promo !== undefined &&
  (used.has(promo) || promo.left === 0 || (promo.edition !== null && promo.edition !== plans[plan].edition))
