import fc from 'fast-check'
import type pg from 'pg'
import { bookRefund } from '#features/sales/server/book-refund.ts'
import { payableOf } from '#features/finance/server/payable.ts'
import {
  invoicePaidBy,
  keepRates,
  reissueInvoice,
  type VatDecision,
} from '#features/invoices/server/invoices.ts'
import { decideVat } from '#features/invoices/server/vat.ts'
import { amountOf } from '#foundation/money.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { signedInCustomer } from './customer.ts'
import { addMoney, move, payOut } from './money.ts'
import { sell } from './sale.ts'
import type { TestApp } from './test-app.ts'

// Random sales, gifts, refunds, payouts, chargebacks and reissues of several customers at once, in currencies with no, two and three decimal places.

export const currencies = ['JPY', 'EUR', 'KWD']

export const appsOf = (app: App): App[] =>
  currencies.map((currency) => ({ ...app, config: { ...app.config, currency } }))

const rates = [
  ['DE', 1900n, 'standard'],
  ['LU', 1700n, 'oss'],
  ['HU', 2700n, 'oss'],
  ['FI', 2550n, 'oss'],
  ['FR', 2000n, 'oss'],
  ['MT', 1800n, 'oss'],
  ['DK', 2500n, 'oss'],
  ['GR', 2400n, 'oss'],
  ['CH', 810n, 'oss'],
  ['LI', 77n, 'oss'],
  ['IT', 1n, 'oss'],
  ['US', 0n, 'outside_eu'],
] as const

/** The VAT decisions of the sales, one for each rate. */
const soldVats = (app: App): VatDecision[] =>
  rates.map(([country, rate_bp, kind]) => ({
    ...decideVat(app.config.company, { country: '', vat_id: '' }, new Date()),
    country,
    rate_bp,
    kind,
  }))

const step = fc.record({
  does: fc.constantFrom(
    'sell',
    'sell',
    'gift',
    'refund',
    'refund',
    'rest',
    'charge back',
    'pay out',
    'reissue',
    'reissue',
  ),
  buyer: fc.constantFrom('DE', 'LU', 'HU', 'US', 'FR'),
  vat: fc.constantFrom('keep' as const, 'decide' as const),
  where: fc.nat(currencies.length - 1),
  rate: fc.nat(rates.length - 1),
  nets: fc.array(fc.oneof(fc.bigInt(1n, 20n), fc.bigInt(1n, 9_999_99n)), { minLength: 1, maxLength: 3 }),
  which: fc.nat(1000),
  part: fc.nat(100),
})
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

const inEuros: Omit<Step, 'does'> = {
  buyer: 'DE',
  vat: 'keep',
  where: 1,
  rate: 0,
  nets: [10_000n],
  which: 0,
  part: 50,
}
/** The beginning of each lane: every kind of step, so that a short history has them all, too. */
const opening: Step[] = [
  { ...inEuros, does: 'sell' },
  { ...inEuros, does: 'reissue' },
  { ...inEuros, does: 'gift', nets: [3_333n] },
  { ...inEuros, does: 'sell' },
  { ...inEuros, does: 'refund', which: 1 },
  { ...inEuros, does: 'rest', which: 1 },
  { ...inEuros, does: 'charge back' },
  { ...inEuros, does: 'pay out' },
]

type Open = { id: string; left: bigint }
/** The payments and purchases of one customer, by currency. */
type Customer = { user_id: string; payments: Open[][]; sales: Open[][] }

/** Does `steps` steps in `lanes` lanes at once, each with its own customer; stops at `stop_at`. Returns the number of each kind of step. */
export async function liveLedger(
  test: Pick<TestApp, 'app' | 'client'>,
  steps: number,
  {
    lanes = 1,
    stop_at = Infinity,
    seed = Date.now() % 2 ** 31,
  }: { lanes?: number; stop_at?: number; seed?: number } = {},
): Promise<{ did: Record<string, number>; lived: number }> {
  const apps = appsOf(test.app)
  const vats = soldVats(test.app)
  const did: Record<string, number> = {}
  let lived = 0
  // Invoices in yen and dinars state their VAT in euros, too, by rates of these days.
  const day = new Date().toISOString().slice(0, 10)
  const rated = currencies.filter((currency) => currency !== 'EUR')
  await transaction(test.app, 'system', (tx) =>
    keepRates(
      tx,
      rated.map((currency) => ({ day, currency, per_euro: currency === 'JPY' ? '170' : '0.36' })),
      'ECB',
    ),
  )
  const lane = async (place: number) => {
    let customer = await newCustomer(test)
    const drawn = fc.sample(step, { numRuns: Math.ceil(steps / lanes) - opening.length, seed: seed + place })
    for (const [count, one] of [...opening, ...drawn].entries()) {
      if (Date.now() > stop_at) return
      // The lists of open payments and sales grow with each step: another customer takes over after 300.
      if (count % 300 === 299) customer = await newCustomer(test)
      const done = await doStep(must(apps[one.where]), must(vats[one.rate]), customer, one)
      if (done !== undefined) did[done] = (did[done] ?? 0) + 1
      lived += 1
    }
  }
  await Promise.all(Array.from({ length: lanes }, (_, place) => lane(place)))
  return { did, lived }
}

async function newCustomer(test: Pick<TestApp, 'app' | 'client'>): Promise<Customer> {
  const { user_id } = await signedInCustomer(test)
  return { user_id, payments: currencies.map(() => []), sales: currencies.map(() => []) }
}

/** Does a step. Returns its name; undefined if the customer has no payment or sale for it. */
async function doStep(
  here: App,
  vat: VatDecision,
  customer: Customer,
  one: Step,
): Promise<string | undefined> {
  const { does, where, nets, which, part } = one
  const { user_id } = customer
  const [payments, sales] = [must(customer.payments[where]), must(customer.sales[where])]
  if (does === 'gift') {
    await giveGift(here, user_id, must(nets[0]))
    return does
  }
  if (does === 'sell') {
    const gross = nets.reduce((sum, net) => sum + net, 0n) * 2n
    const paid = await addMoney(here, user_id, gross)
    payments.push({ id: paid.transaction_id, left: gross })
    const { transaction_id, total } = await sell(here, { user_id, nets, vat })
    sales.push({ id: transaction_id, left: total })
    return does
  }
  if (does === 'charge back') {
    const paid = payments[which % Math.max(1, payments.length)]
    if (!paid || paid.left < 100n) return undefined
    await chargeBack(here, user_id, paid)
    return does
  }
  if (does === 'pay out') return (await paidOut(here, user_id, payments, part)) ? does : undefined
  const sale = sales[which % Math.max(1, sales.length)]
  if (!sale || sale.left === 0n) return undefined
  if (does === 'reissue') {
    sale.left -= await givenBack(here, { user_id, transaction_id: sale.id }, one)
    return does
  }
  const share = (sale.left * BigInt(part)) / 100n
  const amount = does === 'rest' || share === 0n ? sale.left : share
  const refund = { user_id, transaction_id: sale.id, amount, reason: 'said so' }
  await transaction(here, 'system', (tx) => bookRefund(here, tx, refund))
  sale.left -= amount
  return does
}

const giveGift = (here: App, user_id: string, amount: bigint) =>
  move(here, {
    type: 'fill_balance_voucher',
    user_id,
    amount,
    description: { code: 'voucher', params: {} },
  })

async function chargeBack(here: App, user_id: string, paid: Open): Promise<void> {
  const amount = paid.left / 100n
  const description = { code: 'charge_back', params: { provider: 'test' } } as const
  const back = { type: 'charge_back', user_id, amount, description, provider: 'test' } as const
  await move(here, { ...back, reverses: paid.id })
  paid.left -= amount
}

/** Pays out a share of what is payable, from the oldest payments. False if nothing is. */
async function paidOut(here: App, user_id: string, payments: Open[], part: number): Promise<boolean> {
  const { currency } = here.config
  const { payable } = await payableOf(here.db, { user_id, currency })
  const amount = (payable * BigInt(part)) / 100n
  if (amount === 0n) return false
  await payOut(here, user_id, amount)
  let rest = amount
  for (const payment of payments) {
    const taken = payment.left < rest ? payment.left : rest
    payment.left -= taken
    rest -= taken
  }
  return true
}

const nobody = {
  name: 'A',
  company: '',
  street: 'B',
  apartment: '',
  zip: '1',
  city: 'C',
  state: '',
  vat_id: '',
}

/** Issues the newest invoice of a sale anew. Returns what came back to the balance; nothing if it is refused because the total would be higher. */
async function givenBack(
  here: App,
  sale: { user_id: string; transaction_id: string },
  { buyer: country, vat }: Pick<Step, 'buyer' | 'vat'>,
): Promise<bigint> {
  const wanted = { buyer: { ...nobody, country }, vat, reason: 'x' }
  try {
    const { transaction: back } = await transaction(here, 'system', async (tx) => {
      const { public_id } = must(await invoicePaidBy(tx, sale.user_id, sale.transaction_id))
      return reissueInvoice(here, tx, { ...sale, public_id }, wanted, { by: 'command line' })
    })
    return back ? amountOf(back.amount) : 0n
  } catch (error) {
    if (error instanceof HttpError && error.status === 409) return 0n
    throw error
  }
}

/** Returns the months (by currency, country and date of the document) in which the VAT in the ledger differs from that of the documents. */
export async function vatByMonth(superuser: pg.Client): Promise<unknown[]> {
  const { rows } = await superuser.query<{ booked: string | null; documents: string | null }>(`
    with booked as (
      select e.currency, a.name as country, date_trunc('month', d.issued_at) as month, sum(e.amount) as vat
      from entries e join ledger_accounts a on a.id = e.account_id join transactions t on t.id = e.transaction_id
        join ledger_documents d on d.public_id = t.splits_document
          or (t.splits_document is null and d.transaction_id = t.id and d.version = 1)
      where a.kind = 'vat' group by 1, 2, 3),
    documents as (
      select currency, vat_country as country, date_trunc('month', issued_at) as month,
        sum(case kind when 'invoice' then vat else -vat end) as vat
      from invoices group by 1, 2, 3)
    select b.vat::text as booked, d.vat::text as documents from booked b full join documents d using (currency, country, month)
    where coalesce(b.vat, 0) <> coalesce(d.vat, 0)`)
  return rows
}
