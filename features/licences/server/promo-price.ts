import type { HostRow } from '#features/hosts/server/hosts.ts'

/** A promo code as an order keeps it. `amount` is in minor units before VAT, as text; null for a percentage. */
export type Promo = {
  code: string
  percent: number | null
  amount: string | null
  /** Null for each edition. */
  editions: string[] | null
  /** The renewals after the order for which it goes on to hold. */
  left: number
}

/** A price before VAT in minor units, from its price in the list. `promo` is the code that lowers it, as the order keeps it. */
export type Price = { list: bigint; net: bigint; promo: Promo | null }

/** The price of a plan in the list, lowered by a promo code that holds for its edition: never below zero. */
export function lowered(list: bigint, { edition }: { edition: string }, promo: Promo | null): Price {
  if (promo === null || !holdsFor(promo, edition)) return { list, net: list, promo: null }
  const off = promo.percent === null ? BigInt(promo.amount ?? '0') : shareOf(list, BigInt(promo.percent))
  return { list, net: off < list ? list - off : 0n, promo }
}

const holdsFor = ({ editions }: Pick<Promo, 'editions'>, edition: string): boolean =>
  editions === null || editions.includes(edition)

/** A share in percent, rounded half up. */
const shareOf = (net: bigint, percent: bigint): bigint => (net * percent + 50n) / 100n

/** The code that the last order of a host has left to its next renewal; null if there is none. */
export function heldBy(host: Pick<HostRow, 'periods'> | undefined): Promo | null {
  const promo = host?.periods.at(-1)?.promo ?? null
  return promo !== null && promo.left > 0 ? { ...promo, left: promo.left - 1 } : null
}
