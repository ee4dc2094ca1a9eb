import type { Host } from '#features/hosts/contract.ts'
import type { Ordered, PaidPeriod } from '#features/sales/contract.ts'
import type { Plan } from '#features/licences/contract.ts'
import { slots as licences } from '#features/licences/web/feature.tsx'
import { slots as sales } from '#features/sales/web/feature.tsx'
import { amountOf } from '#foundation/money.ts'
import { registerSlots } from '#foundation/web/slots.tsx'
import { euros } from './routed-pages.tsx'
import { inDays, oneHost, openServers, paidHost, startServers } from './server-pages.tsx'
import { reply } from './wire.ts'

/** Returns a name that is the same in every language. */
export const inAll = (name: string) => ({ en: name, de: name, ru: name })

/** Returns the fields of a plan that describe its edition. */
export const editionOf = (name: string, features: string[] = [], machines = 1) => ({
  edition: { slug: name.toLowerCase(), name: inAll(name) },
  description: inAll(`About ${name}`),
  features: features.map(inAll),
  entitlements: { machines },
  trial_days: 0,
})
const monthly = (total: number, term: Plan['term']) => Math.round(total / { P1M: 1, P3M: 3, P1Y: 12 }[term])

const planOf = (slug: string, name: string, term: Plan['term'], net: number): Plan => ({
  slug,
  name: inAll(name),
  ...(name === 'Business' ? editionOf(name, ['Charts', 'Backups'], 10) : editionOf(name, ['Charts'])),
  term,
  price_net: euros(String(net)),
  vat_rate: '19',
  vat: euros(String(Math.round(net * 0.19))),
  price_total: euros(String(net + Math.round(net * 0.19))),
  nameless_up_to: euros('25000'),
  per_month: euros(String(monthly(net + Math.round(net * 0.19), term))),
  saving: term === 'P1Y' ? { amount: euros('2380'), percent: '16' } : null,
})
export const standard = planOf('standard', 'Standard', 'P1M', 1000)
const business = planOf('business', 'Business', 'P1M', 10_000)
const standardYear = planOf('standard-year', 'Standard', 'P1Y', 10_000)

/** Scripts the list of plans, in which the first plan has this price before VAT. */
export const plansCost = (net: number) =>
  reply('GET /api/plans/', {
    status: 200,
    body: { items: [planOf('standard', 'Standard', 'P1M', net), business, standardYear] },
  })

/** Scripts the list of plans, in which the first plan may be tried for so many days. */
export const plansTry = (trial_days: number) =>
  reply('GET /api/plans/', {
    status: 200,
    body: { items: [{ ...standard, trial_days }, business, standardYear] },
  })

/** Returns a plan as a small business offers it. */
export const withoutVat = (plan: Plan): Plan => ({
  ...plan,
  vat_rate: '0',
  vat: euros('0'),
  vat_note: { code: 'small_business', params: { law: '§ 19 UStG', statement: '' } },
  price_total: plan.price_net,
  per_month: plan.price_net,
})

/** Returns the preview of an order of one server with this plan, by somebody with 20 euros. */
export const previewOfOne = ({ name: plan, price_net: net, vat, vat_rate, vat_note, price_total }: Plan) => {
  const at = { starts_at: inDays(0), ends_at: inDays(30) }
  const server = { host_id: null, place: 0, name: 'web-1', plan, ...at, credit: euros('0'), payment: 0 }
  const sums = { net, vat, vat_rate, vat_note, charge: price_total, credit: euros('0'), pay_now: price_total }
  const balance_after = euros(String(2000n - amountOf(price_total)))
  return {
    as_of: inDays(0),
    valid_until: inDays(1),
    servers: [{ ...server, price: price_total }],
    payments: [{ payer: null, ...sums, balance_after, refusal: null }],
    expected_total: price_total,
    refused: [],
  }
}

/** Returns the refusal of an order at an old price, with the present price before VAT. */
export const priceChangedTo = (slug: string, net: number) => {
  const errors = [{ code: 'price_changed', message: 'x' }]
  return { status: 409, body: { status: 409, errors, plan: planOf(slug, 'Standard', 'P1M', net) } }
}

export const periodOf = (more: Partial<PaidPeriod> = {}): PaidPeriod => ({
  id: 'period-1',
  plan: inAll('Standard'),
  term: 'P1M',
  kind: 'order',
  starts_at: inDays(-10),
  ends_at: inDays(20),
  ended: null,
  total: euros('1190'),
  ordered_at: inDays(-10),
  invoice_id: 'IIIIIIIIIIIIIIIIIIIIII',
  ...more,
})

const party = { name: '', street: '', zip: '', city: '', country: 'DE', email: '', vat_id: '' }

/** Returns the answer to an order that succeeded. */
export const orderedOf = (host: Host): { status: 201; body: Ordered } => ({
  status: 201,
  body: {
    host,
    invoice: {
      id: 'IIIIIIIIIIIIIIIIIIIIII',
      number: 'HD-2026-000017',
      kind: 'invoice',
      cancels: false,
      status: 'paid',
      issued_at: inDays(0),
      issued_on: inDays(0).slice(0, 10),
      due_at: inDays(0),
      net: euros('1000'),
      vat: euros('190'),
      total: euros('1190'),
      from: { ...party, phone: '', tax_number: '', register: '', iban: '', bic: '' },
      to: { ...party, company: '', apartment: '', state: '' },
      lines: [],
      allowance: euros('0'),
      gift: euros('0'),
      vat_kind: 'standard',
      vat_rate: '19',
      buyer_reference: '',
      order_reference: '',
      notes: [],
      formats: ['pdf', 'xrechnung'],
      document_versions: [],
      credit_note_of: null,
      replaces: null,
      replaced_by: null,
      credit_notes: [],
      host_id: host.id,
    },
    transaction: {
      id: 't',
      type: 'spend',
      amount: euros('-1190'),
      balance_after: euros('810'),
      created_at: inDays(0),
      description: { code: 'licence_order', params: { host: host.name, plan: 'Standard' } },
      invoice_id: 'IIIIIIIIIIIIIIIIIIIIII',
      host_id: host.id,
    },
  },
})

export const balanceIs = (amount: string) =>
  reply('GET /api/finances/', {
    status: 200,
    body: {
      balance: euros(amount),
      gift: euros('0'),
      lasts_until: null,
      upcoming: [],
      top_up: { providers: ['test'], min: euros('500'), max: euros('500000'), balance_cap: euros('1000000') },
    },
  })

export const historyPath = `${oneHost(paidHost)}licence/history/`

/** Opens the page of a host, with the parts that the feature of licences mounts there. */
export async function openLicence(host: Host, query = '') {
  await reply(`GET ${oneHost(host)}`, { status: 200, body: host })
  return openServers(`/servers/host/${host.id}${query}`)
}

/** Prepares a test: signs in a customer with servers and money, and scripts plans to choose from. */
export async function startLicences(): Promise<void> {
  await startServers()
  registerSlots([...licences, ...sales])
  await balanceIs('2000')
  await reply('GET /api/plans/', { status: 200, body: { items: [standard, business, standardYear] } })
  await reply(`GET ${historyPath}`, { status: 200, body: { items: [periodOf()], next_cursor: null } })
}
