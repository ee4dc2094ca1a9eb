import { amountOf, isDebit, signed } from './camt-values.ts'
import type { Element } from './xml-tree.ts'

/** The places where banks write the amount of a part, from the one that says most surely what the account gained. */
const PLACES = [
  ['Amt'],
  ['AmtDtls', 'TxAmt', 'Amt'],
  ['AmtDtls', 'CntrValAmt', 'Amt'],
  ['AmtDtls', 'InstdAmt', 'Amt'],
] as const

type Whole = { amount: bigint; currency: string }

/**
 * Returns the amounts of the parts of a batch. The parts are read at one place after the other, and then each at the first place that it
 * has: the first reading that adds up to the whole is right. Undefined if none does, as where the bank leaves out a fee.
 */
export function amountsOfParts(
  details: readonly Element[],
  { amount: total, currency }: Whole,
): bigint[] | undefined {
  const readings = [...PLACES.map((path) => [path]), PLACES]
  for (const paths of readings) {
    const parts = details.map((detail) => {
      const money = amountOf(detail, ...paths.map((path) => [...path]))
      // A part without a direction of its own goes as its entry does.
      return money?.currency === currency ? signed(money.amount, isDebit(detail) ?? total < 0n) : undefined
    })
    const known = parts.filter((part) => part !== undefined)
    if (known.length === details.length && known.reduce((sum, part) => sum + part, 0n) === total) return known
  }
  return undefined
}
