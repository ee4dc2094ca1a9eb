import type { Translated } from '#foundation/locale.ts'

/** The types of transactions and their direction (row F-01). The database holds the same list and refuses anything else. */
export const transactionTypes = [
  'fill_balance',
  'fill_balance_voucher',
  'charge_back',
  'spend',
  'return_on_balance',
  'inner_spending',
  'inner_refund',
] as const
export type TransactionType = (typeof transactionTypes)[number]

/**
 * The type of a refund depends on that of its spending, so that the books show which order a refund belongs
 * to.
 */
export const refundTypes = { spend: 'return_on_balance', inner_spending: 'inner_refund' } as const

export const isSpending = (type: TransactionType): type is keyof typeof refundTypes => type in refundTypes

/** The longest code of a voucher that is taken. */
export const VOUCHER_LENGTH = 64

/** The ways money comes in. Which of them an installation offers is a setting. */
export const providerNames = ['test', 'bank', 'stripe'] as const
export type ProviderName = (typeof providerNames)[number]

export const topUpStatuses = ['pending', 'paid', 'failed', 'expired', 'cancelled', 'charged_back'] as const
export type TopUpStatus = (typeof topUpStatuses)[number]

/**
 * The purpose of a transaction: a code and its parameters. The sentence is made on display, in the reader's
 * language. Hosts and plans have the names of that time.
 */
export const descriptionCodes = [
  /** `provider` */
  'top_up',
  'voucher',
  /** `reason` */
  'credit',
  /** `provider`, `reason` */
  'charge_back',
  /** `provider` */
  'charge_back_reversed',
  /** `host`, `plan` */
  'licence_order',
  /** `host`, `plan` */
  'licence_renewal',
  /** `host`, `plan` */
  'licence_auto_renewal',
  /** `reason` */
  'refund',
] as const
export type DescriptionCode = (typeof descriptionCodes)[number]
export type Description = { code: DescriptionCode; params: Record<string, string | Translated> }

/** A payment that will fall due by itself. `total` in minor units; it comes again each `months` months. */
export type Upcoming = { host_id: string; host_name: string; due_at: Date; total: bigint; months: number }

/** Beyond this nobody plans, and a rich customer's sum would never end. */
const HORIZON_YEARS = 10

/**
 * The time at which a balance will first not cover the upcoming charges; null if there are none, or if the
 * balance lasts for more than ten years.
 */
export function lastsUntil(balance: bigint, upcoming: readonly Upcoming[], now: Date): Date | null {
  const horizon = addMonths(now, HORIZON_YEARS * 12)
  const due = upcoming.flatMap(({ due_at, total, months }) => {
    const times: { at: Date; total: bigint }[] = []
    for (let step = 0; ; step += 1) {
      const at = addMonths(due_at, step * months)
      if (at > horizon || (step > 0 && months < 1)) return times
      times.push({ at, total })
    }
  })
  let left = balance
  for (const { at, total } of due.toSorted((one, other) => one.at.getTime() - other.at.getTime())) {
    if (left < total) return at
    left -= total
  }
  return null
}

/** Calendar months in UTC; a day that the month lacks becomes its last. */
function addMonths(from: Date, months: number): Date {
  const at = new Date(from)
  at.setUTCDate(1)
  at.setUTCMonth(at.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate()
  at.setUTCDate(Math.min(from.getUTCDate(), lastDay))
  return at
}
