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

/** An invoice moves prepaid money to revenue, gross; a credit note moves it back. Undefined for a total of 0, which no posting can state. */
export function postingOf(document: DocumentRow): Posting | undefined {
  const { total, kind, vat_kind, day, number, buyer_vat_id, vat_country, vat_rate_bp } = document
  if (total === 0n) return undefined
  const isInvoice = kind === 'invoice'
  return {
    amount: total,
    side: isInvoice ? 'S' : 'H',
    account: 'prepaid',
    against: revenue[vat_kind],
    day,
    number,
    text: documentText(document).trim(),
    eu: vat_kind === 'oss' ? unionCountry(vat_country) : vat_kind === 'reverse_charge' ? buyer_vat_id : '',
    ...(vat_kind === 'oss' ? { rate_bp: vat_rate_bp } : {}),
  }
}

function documentText({ kind, cancels, buyer }: DocumentRow): string {
  if (kind === 'invoice') return m.books_datev_invoice({ buyer }, said)
  return cancels ? m.books_datev_cancellation({ buyer }, said) : m.books_datev_credit_note({ buyer }, said)
}

/** Posts money that came in, was given or was taken back. Sales are posted from their documents (`postingOf`). */
export function movementPosting({
  id,
  type,
  amount,
  day,
  reference,
  provider,
  description,
}: MovementRow): Posting {
  const isRise = amount > 0n
  return {
    amount: isRise ? amount : -amount,
    side: isRise ? 'H' : 'S',
    account: 'prepaid',
    against: type === 'fill_balance_voucher' ? 'promotion' : 'clearing',
    day,
    number: reference ?? id,
    text: textOf({ type, provider, description }),
    eu: '',
  }
}

type Named = Pick<MovementRow, 'type' | 'provider' | 'description'>

function textOf({ type, provider, description: { code } }: Named): string {
  if (code === 'pay_out') return m.books_datev_pay_out({ provider }, said).trim()
  if (code === 'correction' || code === 'charge_back_undone') return m.books_datev_correction({}, said)
  if (code === 'written_off') return m.books_datev_written_off({}, said)
  if (type === 'charge_back') return m.books_datev_charge_back({ provider }, said).trim()
  if (type === 'fill_balance_voucher') return m.books_datev_promotion({}, said)
  return m.books_datev_top_up({ provider }, said).trim()
}
