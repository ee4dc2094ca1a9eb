import type { Translated } from '#foundation/locale.ts'

/** The types of customers' transactions (row F-01). The database refuses any type but these and the internal `vat_split`. */
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
 * The type of a refund by the type of its spending. The types differ so that the books tell refunds of orders from
 * refunds of automatic charges.
 */
export const refundTypes = { spend: 'return_on_balance', inner_spending: 'inner_refund' } as const

export const isSpending = (type: TransactionType): type is keyof typeof refundTypes => type in refundTypes

/** `upgrade`: a feature credits the unused time of a licence that it replaces in the same transaction, and cuts the licence itself. */
export type RefundCause = 'refund' | 'upgrade'

/** A part of a spending that is refunded alone: the order for one of several servers. Amounts in minor units. */
export type SpendingPart = {
  order_id: string
  host_id: string
  host: string
  plan: Translated
  /** The months that were paid; null where an upgrade paid for the rest of a term. */
  months: number | null
  total: bigint
  left: { net: bigint; vat: bigint; total: bigint }
  /** The parts of `total` and of `left.total` that were paid for time, without fees and one-offs. */
  total_of_time: bigint
  left_of_time: bigint
}

/** The length of the longest voucher code that is accepted. */
export const VOUCHER_LENGTH = 64

/** A code that staff choose: 8 to 32 letters and digits, with hyphens between. A shorter one is found by trying. */
export const VOUCHER_WORD = /^[A-Za-z0-9](?:-?[A-Za-z0-9]){7,31}$/

/** The ways in which money comes in. The setting PAYMENTS says which of them an installation offers. */
export const providerNames = ['test', 'bank', 'stripe', 'mollie'] as const
export type ProviderName = (typeof providerNames)[number]
/** The providers that send events over the network. */
export const eventProviders = ['test', 'stripe', 'mollie'] as const satisfies readonly ProviderName[]

/** The kinds of payment methods that a provider keeps, to be charged later. */
export const methodKinds = ['card', 'sepa_debit', 'paypal'] as const
export type MethodKind = (typeof methodKinds)[number]

export const topUpStatuses = [
  'pending',
  'paid',
  'failed',
  'expired',
  'cancelled',
  'charged_back',
  /** Staff booked it by mistake, and took it back. */
  'corrected',
] as const
export type TopUpStatus = (typeof topUpStatuses)[number]

/**
 * The purpose of a transaction: a code and its parameters. The sentence is made on display, in the reader's
 * language. Hosts and plans keep the names that they had at the time of the transaction.
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
  /** `reason`, as of the next: a booking that was a mistake is taken back, or money that was taken by mistake is given again. */
  'correction',
  'charge_back_undone',
  'written_off',
  /** `provider`, `reference`, `reason` */
  'pay_out',
  /** Money that leaves for a bank account or for where it came from, and the same money if it comes back; `provider`, `reason` */
  'payout',
  'payout_returned',
  /** A balance moved between two accounts of one person; `provider` */
  'merge',
  /** `host`, `plan` (the new plan of an upgrade) */
  'licence_order',
  'licence_renewal',
  'licence_auto_renewal',
  'licence_upgrade',
  /** `count` (of servers) */
  'licence_orders',
  'licence_renewals',
  /** `count` (of servers), `plan` (the new plan) */
  'licence_upgrades',
  /** `host`, `plan` (the old plan, whose unused time is credited) */
  'upgrade_credit',
  /** `reason` */
  'refund',
  /** `host`, `reason` */
  'refund_of_host',
] as const
type DescriptionCode = (typeof descriptionCodes)[number]
export type Description = { code: DescriptionCode; params: Record<string, string | Translated> }

/** A payment that will fall due by itself, and again every `months` months. `total` in minor units. */
export type Upcoming = { host_id: string; host_name: string; due_at: Date; total: bigint; months: number }

/** A balance in minor units: all of it, the gift in it, what is left of its payments, and what was taken from them but not from it. */
type OfBalance = { balance: bigint; gift: bigint; open: bigint; held: bigint }

/**
 * Returns how much of a balance may leave, in minor units (rule 61): what is no gift, as gifts are spent first and never paid out, and no
 * more than the payments that were not taken or given back. The second limit counts where a debt was written off, and a sale was refunded
 * after it. The money that is held stays until a person has settled it (decision 232). The page, the refund and the payout know no
 * other formula; the statement names the gift.
 */
export function payable({ balance, gift, open, held }: OfBalance): bigint {
  const money = balance - gift
  const most = (money < open ? money : open) - held
  return most > 0n ? most : 0n
}

/** Adds calendar months in UTC; a day that the month lacks becomes the month's last day. */
export function addMonths(from: Date, months: number): Date {
  const at = new Date(from)
  at.setUTCDate(1)
  at.setUTCMonth(at.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate()
  at.setUTCDate(Math.min(from.getUTCDate(), lastDay))
  return at
}

/** Returns the time of a charge that recurs, some months on: it is due a day before its period ends, and the months count from that end. */
export function chargeAfter(due_at: Date, months: number): Date {
  const day_ms = 86_400_000
  return new Date(addMonths(new Date(due_at.getTime() + day_ms), months).getTime() - day_ms)
}

/** Returns the two check digits of a bank reference, which reveal typing errors: ISO 7064, MOD 97-10, over its letters and digits. */
export function checkDigits(reference: string): string {
  const digits = [...reference.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')]
    .map((letter) => Number.parseInt(letter, 36))
    .join('')
  return String(98n - ((BigInt(digits) * 100n) % 97n)).padStart(2, '0')
}

/**
 * Returns the reference that a text copied like 'hd abcd 1234' or 'HD-ABCD-1234-76' stands for, with or without its check digits;
 * undefined if the text is no reference or its digits are wrong.
 */
export function referenceOf(given: string): string | undefined {
  const bare = given.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')
  const [, letters, digits, check] = /^HD([A-Z]{4})(\d{4})(\d\d)?$/.exec(bare) ?? []
  if (letters === undefined || digits === undefined) return undefined
  const stem = `HD-${letters}-${digits}`
  const right = checkDigits(stem)
  return check === undefined || check === right ? `${stem}-${right}` : undefined
}
