import type { Person } from './story.ts'

/** Money that was paid in and is not given back: a part of one payment. */
export type Lot = { top_up: string; left: bigint }

/** Counts a payment: its money is the youngest of all. */
export function payIn(person: Person, top_up: string, amount: bigint): void {
  person.balance += amount
  person.payments.push({ top_up, taken: 0n })
  person.lots.push({ top_up, left: amount })
}

/** Returns how much of all payments, or of one, is not given back. */
export const keptOf = (lots: readonly Lot[], top_up?: string): bigint =>
  lots.reduce((sum, lot) => (isOf(lot, top_up) ? sum + lot.left : sum), 0n)

/**
 * Gives back an amount of all payments, or of one, oldest first, and returns the parts. A payout gives payments back too, so a bank that takes
 * a whole payment back later gets no more than what the payout left of it (decision 190).
 */
export function takeBack(lots: Lot[], amount: bigint, top_up?: string): Lot[] {
  const parts: Lot[] = []
  let rest = amount
  for (const lot of lots) {
    const part = lot.left < rest ? lot.left : rest
    if (part === 0n || !isOf(lot, top_up)) continue
    lot.left -= part
    rest -= part
    parts.push({ top_up: lot.top_up, left: part })
  }
  return parts
}

const isOf = (lot: Lot, top_up: string | undefined): boolean => top_up === undefined || lot.top_up === top_up
