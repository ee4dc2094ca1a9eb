import { unionCountry } from '#features/books/rules.ts'
import type { DocumentRow } from '#features/invoices/server/invoices.ts'
import type { MovementRow } from '#features/finance/server/finance.ts'
import type { VatKind } from '#features/invoices/rules.ts'
import * as m from '#texts/messages.js'
import type { AccountName } from './accounts.ts'

/** One line of the batch: an amount (minor units, positive) on an account's debit or credit side, and the other account. */
export type Posting = {
  amount: bigint
  side: 'S' | 'H'
  account: AccountName
  against: AccountName
  /** 2026-11-23, in the operator's time zone. */
  day: string
  /** The number of the document, or the reference or id of the movement: at most 36 letters, digits and hyphens. */
  number: string
  text: string
  /** With the one-stop shop the country that the VAT is due in, with reverse charge the buyer's VAT id; '' otherwise. */
  eu: string
  /** The VAT rate in basis points, with the one-stop shop only. */
  rate_bp?: bigint
  /** The id of the customer, by which the tax adviser can ask about them. */
  customer: string
  /** The paid time, from its first to its last day; null where nothing was sold. */
  service: DocumentRow['service']
}

const revenue = {
  standard: 'home',
  oss: 'oss',
  reverse_charge: 'reverse_charge',
  outside_eu: 'outside',
  small_business: 'small_business',
} as const satisfies Record<VatKind, AccountName>

// The texts are German in any case, because German bookkeepers read the file.
const said = { locale: 'de' } as const

/**
 * An invoice moves prepaid money to revenue, gross, and the gift that has lowered it back to where gifts come from; a credit note moves both
 * back. An amount of 0 has no posting, as none can state it.
 */
export function postingsOf(document: DocumentRow): Posting[] {
  const { total, gift, kind, vat_kind, day, number, buyer, buyer_vat_id, vat_country, vat_rate_bp } = document
  const { user_id: customer, service } = document
  const side = kind === 'invoice' ? ('S' as const) : ('H' as const)
  const common = { side, account: 'prepaid' as const, day, number, customer, service }
  const sale: Posting = {
    ...common,
    amount: total,
    against: revenue[vat_kind],
    text: documentText(document).trim(),
    eu: vat_kind === 'oss' ? unionCountry(vat_country) : vat_kind === 'reverse_charge' ? buyer_vat_id : '',
    ...(vat_kind === 'oss' ? { rate_bp: vat_rate_bp } : {}),
  }
  const text = m.books_datev_gift({ buyer }, said).trim()
  const given: Posting = { ...common, amount: gift, against: 'promotion', text, eu: '' }
  return [sale, given].filter(({ amount }) => amount > 0n)
}

function documentText({ kind, cancels, buyer }: DocumentRow): string {
  if (kind === 'invoice') return m.books_datev_invoice({ buyer }, said)
  return cancels ? m.books_datev_cancellation({ buyer }, said) : m.books_datev_credit_note({ buyer }, said)
}

/**
 * Posts money that came in, was given or was taken back, with the name of its customer, which is empty where the account was deleted. Sales are
 * posted from their documents (`postingsOf`).
 */
export function movementPosting(
  { id, type, amount, day, reference, provider, description, user_id: customer }: MovementRow,
  name: string,
): Posting {
  const isRise = amount > 0n
  return {
    amount: isRise ? amount : -amount,
    side: isRise ? 'H' : 'S',
    account: 'prepaid',
    against: GIFTS.includes(type) ? 'promotion' : 'clearing',
    day,
    number: reference ?? id,
    text: `${textOf({ type, provider, description })} ${name}`.trim(),
    eu: '',
    customer,
    service: null,
  }
}

/** The types of gifts among the movements without a document: given, or moved between accounts of one person. */
const GIFTS: readonly MovementRow['type'][] = ['fill_balance_voucher', 'inner_spending', 'inner_refund']

type Named = Pick<MovementRow, 'type' | 'provider' | 'description'>

function textOf({ type, provider, description: { code } }: Named): string {
  if (code === 'payout_returned') return m.books_datev_payout_returned({ provider }, said).trim()
  if (code === 'pay_out' || code === 'payout') return m.books_datev_pay_out({ provider }, said).trim()
  if (code === 'correction' || code === 'charge_back_undone') return m.books_datev_correction({}, said)
  if (code === 'merge') return m.books_datev_merge({}, said)
  if (code === 'written_off') return m.books_datev_written_off({}, said)
  if (type === 'charge_back') return m.books_datev_charge_back({ provider }, said).trim()
  if (type === 'fill_balance_voucher') return m.books_datev_promotion({}, said)
  return m.books_datev_top_up({ provider }, said).trim()
}
