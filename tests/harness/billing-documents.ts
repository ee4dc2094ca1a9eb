import type { DocumentInput } from '#features/invoices/server/documents/document-input.ts'
import { loweredBy, totalsOf } from '#features/invoices/server/invoices.ts'
import { formatsOf, percentOf, type VatKind } from '#features/invoices/rules.ts'
import { toMoney } from '#foundation/money.ts'

export type Sample = {
  kind?: 'invoice' | 'credit_note'
  /** True for an invoice that was issued in place of an earlier one. */
  replaces?: boolean
  cancels?: boolean
  vat_kind?: VatKind
  rate_bp?: bigint
  /** The quantity and the net price of one unit, for each line, and what it is; a plan by default. */
  lines?: readonly (readonly [quantity: bigint, cost: bigint, what?: Sold])[]
  /** The net amount that a promo code takes off each line, at most its price. */
  off?: bigint
  /** The gift that lowers the document, gross; at most the price. */
  gift?: bigint
  locale?: DocumentInput['locale']
  from?: Partial<DocumentInput['invoice']['from']>
  to?: Partial<DocumentInput['invoice']['to']>
  operator?: Partial<DocumentInput['operator']>
  notes?: DocumentInput['invoice']['notes']
  currency?: string
  buyer_reference?: string
  order_reference?: string
}

/** A plan for a server, the rest of a term of one, a program; and the extras of a plan. */
type Sold = 'plan' | 'rest' | 'program' | 'fee' | 'addon' | 'addon_rest' | 'once'

/** Returns an invoice to make documents of, without a database. Everything that `sample` does not give has an ordinary value. */
export function sampleInput(sample: Sample = {}): DocumentInput {
  const { kind = 'invoice', vat_kind = 'standard', rate_bp = 1_900n, locale = 'en' } = sample
  const { lines = [[1n, 1_990n]] } = sample
  // A promo code lowers plans alone.
  const offOf = (price: bigint, what: Sold = 'plan') => {
    const off = isExtra(what) ? 0n : (sample.off ?? 0n)
    return off < price ? off : price
  }
  const eur = (amount: bigint) => toMoney(amount, sample.currency ?? 'EUR')
  const price = totalsOf(
    lines.map(([quantity, cost, what]) => quantity * cost - offOf(quantity * cost, what)),
    rate_bp,
  )
  const { gift: given = 0n } = sample
  const { money, gift } = loweredBy(price, given < price.total ? given : price.total, rate_bp)
  const { net, vat, total } = money
  const vat_rate = percentOf(rate_bp)
  const from = { ...seller, ...sample.from }
  const to = { ...buyer, ...sample.to }
  const issued_at = '2026-11-21T10:00:00.000Z'
  return {
    locale,
    issued_on: '2026-11-21',
    preceding_issued_on: kind === 'credit_note' || sample.replaces ? '2026-11-01' : null,
    vat_country: 'DE',
    operator: { name: 'Hostdesk', color: '#1f2430', logo: undefined, ...sample.operator },
    invoice: {
      id: 'A'.repeat(22),
      number: 'HD-2026-000017',
      kind,
      cancels: sample.cancels ?? false,
      status: 'paid',
      issued_at,
      issued_on: '2026-11-21',
      due_at: issued_at,
      net: eur(net),
      vat: eur(vat),
      total: eur(total),
      from,
      to,
      lines: lines.map(([quantity, cost, what = 'plan']) => ({
        description: descriptions[what],
        quantity: quantity.toString(),
        cost: eur(cost),
        ...(offOf(quantity * cost, what) > 0n && {
          allowance: { amount: eur(offOf(quantity * cost, what)), reduction },
        }),
        price: eur(quantity * cost - offOf(quantity * cost, what)),
        vat_rate,
        period: what === 'fee' || what === 'once' ? null : term,
      })),
      allowance: eur(gift.net),
      gift: eur(gift.total),
      vat_kind,
      vat_rate,
      buyer_reference: sample.buyer_reference ?? '',
      order_reference: sample.order_reference ?? '',
      notes: sample.notes ?? [{ code: 'paid', params: {} }],
      formats: formatsOf({ from, to }),
      document_versions: [],
      credit_note_of: kind === 'credit_note' ? { id: 'B'.repeat(22), number: 'HD-2026-000003' } : null,
      replaces: sample.replaces ? { id: 'B'.repeat(22), number: 'HD-2026-000003' } : null,
      replaced_by: null,
      credit_notes: [],
      host_id: null,
    },
  }
}

const isExtra = (what: Sold): boolean => !['plan', 'rest', 'program'].includes(what)

const term = {
  starts_at: '2026-11-21T10:00:00.000Z',
  ends_at: '2026-12-21T10:00:00.000Z',
  first_day: '2026-11-21',
  last_day: '2026-12-21',
}
const host = 'brave-otter-42'
const restOfTerm = { term_price: '9900', term_starts_at: '2026-11-01T10:00:00.000Z' }
const extra = (en: string, de: string) => ({ host, extra: { en, de, ru: en } })
/** The lines as orders, renewals and upgrades write them. */
const descriptions: Record<Sold, DocumentInput['invoice']['lines'][number]['description']> = {
  plan: { code: 'licence_order', params: { host, plan: 'Standard' } },
  rest: { code: 'licence_upgrade', params: { host, plan: 'Large', ...restOfTerm } },
  program: { code: 'licence_order', params: { host: 'laptop', plan: 'Backup <Agent> & Team' } },
  fee: { code: 'extra', params: extra('Setup', 'Einrichtung') },
  addon: { code: 'extra', params: extra('Storage, 10 GB', 'Speicher, 10 GB') },
  addon_rest: {
    code: 'extra',
    params: { ...extra('Storage, 10 GB', 'Speicher, 10 GB'), count: '3', ...restOfTerm },
  },
  once: { code: 'extra', params: extra('Course', 'Schulung') },
}

const reduction = { code: 'promo_code', params: { code: 'SUMMER', percent: '20' } } as const

const seller = {
  name: 'Hostdesk Demo GmbH',
  street: 'Musterstraße 1',
  zip: '10115',
  city: 'Berlin',
  country: 'DE',
  email: 'billing@example.com',
  phone: '+49 30 1234567',
  vat_id: 'DE123456789',
  tax_number: '12/345/67890',
  register: 'HRB 12345 B',
  iban: 'DE02120300000000202051',
  bic: 'BYLADEM1001',
}
const buyer = {
  name: 'Anna Berger',
  company: '',
  street: 'Lindenweg 7',
  apartment: '3 OG',
  zip: '22085',
  city: 'Hamburg',
  state: 'Hamburg',
  country: 'DE',
  email: 'anna@example.com',
  vat_id: '',
}

/** One sample of each kind of invoice whose documents differ. */
export const sampleKinds: Record<string, Sample> = {
  'an invoice at home': {},
  'a consumer elsewhere in the EU': { vat_kind: 'oss', rate_bp: 2_550n, to: { country: 'FI' } },
  'reverse charge': {
    vat_kind: 'reverse_charge',
    rate_bp: 0n,
    to: { country: 'LV', company: 'Sokolov & Partner <SIA>', vat_id: 'LV12345678901' },
  },
  'outside of the EU': { vat_kind: 'outside_eu', rate_bp: 0n, to: { country: 'US', vat_id: '' } },
  'outside of the EU, by a seller with nothing but a VAT id': {
    vat_kind: 'outside_eu',
    rate_bp: 0n,
    to: { country: 'CH', vat_id: 'CHE123456789' },
    from: { register: '', tax_number: '' },
  },
  'a small business': { vat_kind: 'small_business', rate_bp: 0n, locale: 'de' },
  'a small business without a VAT id, to a consumer elsewhere': {
    vat_kind: 'small_business',
    rate_bp: 0n,
    to: { country: 'FI' },
    from: { vat_id: '' },
  },
  'in another currency than that of the state': {
    currency: 'USD',
    notes: [
      {
        code: 'state_vat',
        params: {
          amount: '327',
          currency: 'EUR',
          from: 'USD',
          rate: '0.8646',
          day: '2026-11-20',
          source: 'ECB',
        },
      },
    ],
  },
  'a rate of zero that the operator set': { rate_bp: 0n },
  'an invoice that a voucher has lowered': { gift: 500n },
  'reverse charge that a voucher has lowered': {
    vat_kind: 'reverse_charge',
    rate_bp: 0n,
    gift: 777n,
    to: { country: 'LV', company: 'Sokolov & Partner <SIA>', vat_id: 'LV12345678901' },
  },
  'outside of the EU that a voucher has lowered': {
    vat_kind: 'outside_eu',
    rate_bp: 0n,
    gift: 1n,
    to: { country: 'US', vat_id: '' },
  },
  'an invoice that credit has paid': { gift: 2_368n },
  'lines that a promo code has lowered': {
    off: 398n,
    lines: [
      [1n, 1_990n],
      [2n, 150n],
    ],
  },
  'a line that a promo code and a voucher have lowered': { off: 398n, gift: 595n, locale: 'de' },
  'reverse charge that a promo code has lowered': {
    vat_kind: 'reverse_charge',
    rate_bp: 0n,
    off: 398n,
    to: { country: 'LV', company: 'Sokolov & Partner <SIA>', vat_id: 'LV12345678901' },
  },
  'outside of the EU that a promo code has lowered': {
    vat_kind: 'outside_eu',
    rate_bp: 0n,
    off: 398n,
    to: { country: 'US', vat_id: '' },
  },
  'a credit note over a line with a promo code': { kind: 'credit_note', cancels: true, off: 398n },
  'extras beside a plan that a promo code has lowered, elsewhere in the EU': {
    vat_kind: 'oss',
    rate_bp: 2_550n,
    to: { country: 'FI' },
    off: 657n,
    lines: [
      [1n, 1_990n],
      [1n, 1_717n, 'fee'],
      [3n, 333n, 'addon'],
    ],
  },
  'a program that a stranger abroad has bought, of whom country and mailbox are known': {
    vat_kind: 'oss',
    rate_bp: 2_000n,
    lines: [
      [1n, 1_000n, 'program'],
      [1n, 501n, 'fee'],
    ],
    to: { name: '', street: '', apartment: '', zip: '', city: '', state: '', country: 'FR' },
  },
  'a credit note over a gift, too': { kind: 'credit_note', lines: [[1n, 500n]], gift: 123n },
  'a credit note': { kind: 'credit_note', lines: [[1n, 500n]] },
  'a credit note over all of it': { kind: 'credit_note', cancels: true },
  'a buyer of whom only the mailbox is known': {
    to: { name: '', street: '', apartment: '', zip: '', city: '', state: '', country: '' },
  },
  'many lines': { lines: Array.from({ length: 60 }, (_, index) => [BigInt(index + 1), 333n] as const) },
}
