import type { Invoice as Structured } from '@e-invoice-eu/core'
import { decimalText, toMoney, type Money } from '#foundation/money.ts'
import { lineText, noteText } from '#features/invoices/texts.ts'
import type { DocumentInput } from './document-input.ts'
import { buyerParty, sellerParty } from './e-invoice-parties.ts'

/** An invoice in the terms of EN 16931 (BT and BG numbers are its own), from which both XML forms are written. */
export function structured(paper: DocumentInput): Structured {
  const { invoice, locale, issued_on } = paper
  const isCredit = invoice.kind === 'credit_note'
  const currency = invoice.total.currency
  const period = periodOf(invoice.lines)
  const notes = invoice.notes.map((note) => noteText(note, plainDay, locale))
  const root = {
    'cbc:ID': invoice.number,
    'cbc:IssueDate': issued_on,
    ...(isCredit ? {} : { 'cbc:DueDate': issued_on }),
    // UNTDID 1001: 380 is an invoice, 381 a credit note, whose amounts are positive too.
    'cbc:InvoiceTypeCode': isCredit ? '381' : '380',
    ...(notes.length > 0 ? { 'cbc:Note': notes } : {}),
    'cbc:DocumentCurrencyCode': currency,
    // BT-10: XRechnung wants one (BR-DE-15), and who gave none has no other that lasts.
    'cbc:BuyerReference': invoice.buyer_reference || invoice.to.email,
    ...(invoice.order_reference ? { 'cac:OrderReference': { 'cbc:ID': invoice.order_reference } } : {}),
    ...(period ? { 'cac:InvoicePeriod': period } : {}),
    ...(invoice.credit_note_of ? { 'cac:BillingReference': [original(paper)] } : {}),
    'cac:AccountingSupplierParty': { 'cac:Party': sellerParty(invoice) },
    'cac:AccountingCustomerParty': { 'cac:Party': buyerParty(paper) },
    // BT-72: from when on the service is there.
    'cac:Delivery': { 'cbc:ActualDeliveryDate': period?.['cbc:StartDate'] ?? issued_on },
    // UNTDID 4461: 97 is 'clearing between partners', here against the prepaid balance.
    'cac:PaymentMeans': [{ 'cbc:PaymentMeansCode': '97' }],
    'cac:TaxTotal': [taxTotal(paper)],
    'cac:LegalMonetaryTotal': totals(invoice),
    'cac:InvoiceLine': invoice.lines.map((_, index) => line(paper, index)),
  }
  // The library's types list every code of every code list; the schema it checks the input by does, too.
  return { 'ubl:Invoice': root } as unknown as Structured
}

// In XML a day stands as ISO 8601 has it.
const plainDay = (day: string): string => day

const amount = (name: string, money: Money) => ({
  [name]: decimalText(money),
  [`${name}@currencyID`]: money.currency,
})

const original = ({ invoice, original_issued_on }: DocumentInput) => ({
  'cac:InvoiceDocumentReference': {
    'cbc:ID': invoice.credit_note_of?.number,
    ...(original_issued_on ? { 'cbc:IssueDate': original_issued_on } : {}),
  },
})

/** BG-14: from the first day to the last one, which is part of it (BT-74); undefined where no line says when. */
function periodOf(lines: DocumentInput['invoice']['lines']) {
  const periods = lines.flatMap(({ period }) => (period ? [period] : []))
  const start = periods.map(({ first_day }) => first_day).toSorted()[0]
  const end = periods
    .map(({ last_day }) => last_day)
    .toSorted()
    .at(-1)
  return start && end ? { 'cbc:StartDate': start, 'cbc:EndDate': end } : undefined
}

/** BT-118 with BT-119 and the reason for no VAT (BT-120, BT-121). */
function category({ invoice, locale }: DocumentInput) {
  const scheme = { 'cac:TaxScheme': { 'cbc:ID': 'VAT' } }
  const reason = (code: string, say: 'reverse_charge' | 'outside_eu') => ({
    'cbc:TaxExemptionReasonCode': code,
    'cbc:TaxExemptionReason': noteText({ code: say, params: {} }, plainDay, locale),
  })
  switch (invoice.vat_kind) {
    case 'reverse_charge':
      return {
        id: 'AE',
        rate: { 'cbc:Percent': '0' },
        reason: reason('VATEX-EU-AE', 'reverse_charge'),
        scheme,
      }
    case 'outside_eu':
      // BR-O-05: what is not subject to VAT has no rate, not even 0.
      return { id: 'O', rate: {}, reason: reason('VATEX-EU-O', 'outside_eu'), scheme }
    default: {
      const rate = { 'cbc:Percent': invoice.vat_rate }
      return { id: invoice.vat_rate === '0' ? 'Z' : 'S', rate, reason: {}, scheme }
    }
  }
}

function taxTotal(paper: DocumentInput) {
  const { net, vat } = paper.invoice
  const { id, rate, reason, scheme } = category(paper)
  return {
    ...amount('cbc:TaxAmount', vat),
    'cac:TaxSubtotal': [
      {
        ...amount('cbc:TaxableAmount', net),
        ...amount('cbc:TaxAmount', vat),
        // XRechnung wants a rate here in any case (BR-DE-14); on the line there must be none (BR-O-05).
        'cac:TaxCategory': { 'cbc:ID': id, 'cbc:Percent': '0', ...rate, ...reason, ...scheme },
      },
    ],
  }
}

/** BG-22. All of it was paid in the moment of issue (BT-113), so nothing is due (BT-115). */
const totals = ({ net, total }: DocumentInput['invoice']) => ({
  ...amount('cbc:LineExtensionAmount', net),
  ...amount('cbc:TaxExclusiveAmount', net),
  ...amount('cbc:TaxInclusiveAmount', total),
  ...amount('cbc:PrepaidAmount', total),
  ...amount('cbc:PayableAmount', toMoney(0n, total.currency)),
})

function line(paper: DocumentInput, index: number) {
  const { description, quantity, cost, price, period } = paper.invoice.lines[index]!
  const { id, rate, scheme } = category(paper)
  return {
    'cbc:ID': String(index + 1),
    'cbc:InvoicedQuantity': quantity,
    // UN/ECE recommendation 20: one.
    'cbc:InvoicedQuantity@unitCode': 'C62',
    ...amount('cbc:LineExtensionAmount', price),
    ...(period
      ? {
          'cac:InvoicePeriod': {
            'cbc:StartDate': period.first_day,
            'cbc:EndDate': period.last_day,
          },
        }
      : {}),
    'cac:Item': {
      'cbc:Name': lineText(description, paper.locale),
      'cac:ClassifiedTaxCategory': { 'cbc:ID': id, ...rate, ...scheme },
    },
    'cac:Price': amount('cbc:PriceAmount', cost),
  }
}
