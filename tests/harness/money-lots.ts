import { must } from '#foundation/must.ts'

/** An amount in cents that lies on a balance, or was spent from it. */
type Lot = { isPaid: boolean; cents: bigint }

/**
 * A balance as a queue of lots: the naive bookkeeping beside which the formula of `payable` is judged. Gifts are spent first. A debt is money
 * that a bank took and that was not there any more; what comes later pays it first.
 */
export class MoneyLots {
  lots: Lot[] = []
  debt = 0n
  /** The rest of each payment, by its transaction. */
  payments = new Map<string, bigint>()
  spendings = new Map<string, { gift: bigint; total: bigint; back: bigint }>()

  get balance(): bigint {
    return sum(this.lots) - this.debt
  }

  get gift(): bigint {
    return sum(this.lots.filter(({ isPaid }) => !isPaid))
  }

  /** Paid cents that lie here, and never more than what was paid in and not given back. */
  get payable(): bigint {
    const paid = sum(this.lots.filter(({ isPaid }) => isPaid))
    const open = [...this.payments.values()].reduce((all, left) => all + left, 0n)
    return paid < open ? paid : open
  }

  pay(id: string, cents: bigint): void {
    this.payments.set(id, cents)
    this.#arrive(cents)
  }

  give(cents: bigint): void {
    this.lots.push({ isPaid: false, cents })
  }

  spend(id: string, cents: bigint): void {
    const gift = this.#take(false, cents)
    this.#take(true, cents - gift)
    this.spendings.set(id, { gift, total: cents, back: 0n })
  }

  /** Gives back one cent after the other: each is a gift where the share of the gift in all cents so far reaches a whole one. */
  refund(id: string, cents: bigint): void {
    const spending = must(this.spendings.get(id))
    for (let one = 0n; one < cents; one += 1n) {
      const before = (spending.gift * spending.back) / spending.total
      spending.back += 1n
      const isGift = (spending.gift * spending.back) / spending.total > before
      if (isGift) this.give(1n)
      else this.#arrive(1n)
    }
  }

  chargeBack(id: string, cents: bigint): void {
    this.payments.set(id, must(this.payments.get(id)) - cents)
    this.debt += cents - this.#take(true, cents)
  }

  /** A bank gives money of a payment again, or a payout came back. */
  reinstate(id: string, cents: bigint): void {
    this.payments.set(id, must(this.payments.get(id)) + cents)
    this.#arrive(cents)
  }

  writeOff(cents: bigint): void {
    this.debt -= cents
  }

  #arrive(cents: bigint): void {
    const paid = cents < this.debt ? cents : this.debt
    this.debt -= paid
    if (cents > paid) this.lots.push({ isPaid: true, cents: cents - paid })
  }

  /** Takes from lots of this kind, oldest first, as much as there is; returns how much it was. */
  #take(isPaid: boolean, cents: bigint): bigint {
    let taken = 0n
    for (const lot of this.lots.filter((one) => one.isPaid === isPaid)) {
      const part = lot.cents < cents - taken ? lot.cents : cents - taken
      lot.cents -= part
      taken += part
    }
    this.lots = this.lots.filter(({ cents: left }) => left > 0n)
    return taken
  }
}

const sum = (lots: readonly Lot[]): bigint => lots.reduce((all, { cents }) => all + cents, 0n)
