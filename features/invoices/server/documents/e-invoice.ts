import { amountOf, decimalText, toMoney } from '#foundation/money.ts'
import { m } from '#texts/messages.js'
import { giftNotes, isLowered, lineText, noteText, reductionText } from '#features/invoices/texts.ts'
import { buyerParty, sellerParty, type Party } from './e-invoice-parties.ts'
import type { DocumentInput } from './document-input.ts'
import type { Note } from '#features/invoices/shapes.ts'
import { smallBusinessCode, smallBusinessNote } from '#features/invoices/server/small-business.ts'

/** The first and the last day of the service, both included (BT-73, BT-74). */
type Period = { first_day: string; last_day: string }

/** The fields of an invoice by EN 16931 (BT and BG numbers are its own), from which both XML forms are written. */
export type Terms = {
  number: string
  is_credit: boolean
  issued_on: string
  /** BT-9, of an invoice only. */
  due_on: string | undefined
  notes: string[]
  currency: string
  /** BT-6 and BT-111: the VAT in the currency of the seller's state, if it is another one. */
  state_vat: { currency: string; amount: string } | undefined
  buyer_reference: string
  order_reference: string
  period: Period | undefined
  delivered_on: string
  /** BG-3: the invoice that is credited or replaced. */
  preceding: { number: string; issued_on: string | null } | undefined
  seller: Party
  buyer: Party
  vat: Vat
  /** BG-20: the gift that lowers the document, of which there is one, as a document has one rate of VAT. */
  allowance: Allowance | undefined
  /** The sums: all was paid in the moment of issue (BT-113), so nothing is due (BT-115). */
  sums: Record<'lines' | 'net' | 'vat' | 'total' | 'prepaid' | 'due', string>
  lines: {
    name: string
    quantity: string
    cost: string
    /** BG-27: what a promo code takes off the line. */
    allowance: Allowance | undefined
    price: string
    period: Period | null
  }[]
}

export type Allowance = { amount: string; reason: string }

/** The VAT category (BT-118), its rate (BT-119), and the reason if no VAT is charged (BT-120, BT-121). */
type Vat = {
  category: 'S' | 'Z' | 'AE' | 'O' | 'E'
  rate: string
  /** The rate on each line; '' if lines must have no rate. */
  line_rate: string
  reason: { code: string; text: string } | undefined
}

// UNTDID 1001: 380 is an invoice, 381 a credit note, whose amounts are positive too.
export const typeCode = ({ is_credit }: Terms): string => (is_credit ? '381' : '380')
// UNTDID 4461: 97 is 'clearing between partners', here against the prepaid balance.
export const PAYMENT_MEANS = '97'
// UN/ECE recommendation 20: C62 is one piece.
export const PIECE = 'C62'
// UNTDID 5189: 95 is a discount.
export const DISCOUNT = '95'
// The code list of electronic address schemes: EM is an email address (BT-34, BT-49).
export const EMAIL_SCHEME = 'EM'
// BT-23: the process of Peppol's billing.
export const PROCESS = 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0'

export function termsOf(paper: DocumentInput): Terms {
  const { invoice, locale, issued_on } = paper
  const is_credit = invoice.kind === 'credit_note'
  const period = periodOf(invoice.lines)
  const { currency } = invoice.total
  return {
    number: invoice.number,
    is_credit,
    issued_on,
    due_on: is_credit ? undefined : issued_on,
    notes: [...invoice.notes.map((note) => noteText(note, plainDay, locale)), ...giftNotes(invoice, locale)],
    currency,
    state_vat: stateVatOf(invoice.notes),
    // XRechnung requires a buyer reference (BT-10, BR-DE-15). If the buyer gave none, their email address is the only lasting reference.
    buyer_reference: invoice.buyer_reference || invoice.to.email,
    order_reference: invoice.order_reference,
    period,
    // BT-72: the day from which the service is available.
    delivered_on: period?.first_day ?? issued_on,
    preceding: precedingOf(paper),
    seller: sellerParty(invoice),
    buyer: buyerParty(paper),
    vat: vatOf(paper),
    allowance: isLowered(invoice)
      ? { amount: decimalText(invoice.allowance), reason: m.invoices_allowance({}, { locale }) }
      : undefined,
    sums: {
      lines: decimalText(toMoney(amountOf(invoice.net) + amountOf(invoice.allowance), currency)),
      net: decimalText(invoice.net),
      vat: decimalText(invoice.vat),
      total: decimalText(invoice.total),
      prepaid: decimalText(invoice.total),
      due: decimalText(toMoney(0n, currency)),
    },
    lines: invoice.lines.map(({ description, quantity, cost, allowance, price, period }) => ({
      name: lineText(description, locale),
      quantity,
      cost: decimalText(cost),
      allowance: allowance && {
        amount: decimalText(allowance.amount),
        reason: reductionText(allowance.reduction, locale),
      },
      price: decimalText(price),
      period,
    })),
  }
}

function precedingOf({ invoice, preceding_issued_on: issued_on }: DocumentInput): Terms['preceding'] {
  const preceding = invoice.credit_note_of ?? invoice.replaces
  return preceding ? { number: preceding.number, issued_on } : undefined
}

function stateVatOf(notes: readonly Note[]): Terms['state_vat'] {
  const params = notes.find(({ code }) => code === 'state_vat')?.params
  if (typeof params?.amount !== 'string' || typeof params.currency !== 'string') return undefined
  return { currency: params.currency, amount: decimalText(toMoney(BigInt(params.amount), params.currency)) }
}

// A note in the XML shows a day as it is stored, in the form of ISO 8601.
const plainDay = (day: string): string => day

/** Returns the invoice's period (BG-14), from the first day of any line to the last day of any line; undefined if no line has a period. */
function periodOf(lines: DocumentInput['invoice']['lines']): Period | undefined {
  const periods = lines.flatMap(({ period }) => (period ? [period] : []))
  const first_day = periods.map((period) => period.first_day).toSorted()[0]
  const last_day = periods
    .map((period) => period.last_day)
    .toSorted()
    .at(-1)
  return first_day && last_day ? { first_day, last_day } : undefined
}

function vatOf({ invoice, locale }: DocumentInput): Vat {
  const said = (code: string, note: Note) => ({ code, text: noteText(note, plainDay, locale) })
  const reason = (code: string, say: 'reverse_charge' | 'outside_eu') => said(code, { code: say, params: {} })
  switch (invoice.vat_kind) {
    case 'reverse_charge':
      return { category: 'AE', rate: '0', line_rate: '0', reason: reason('VATEX-EU-AE', 'reverse_charge') }
    case 'outside_eu':
      // BR-O-05: a line that is not subject to VAT has no rate, not even 0; in the total XRechnung requires a rate (BR-DE-14).
      return { category: 'O', rate: '0', line_rate: '', reason: reason('VATEX-EU-O', 'outside_eu') }
    case 'small_business': {
      const { country } = invoice.from
      const why = said(smallBusinessCode(country), smallBusinessNote(country))
      return { category: 'E', rate: '0', line_rate: '0', reason: why }
    }
    default: {
      const rate = invoice.vat_rate
      return { category: rate === '0' ? 'Z' : 'S', rate, line_rate: rate, reason: undefined }
    }
  }
}
