import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import * as contract from '#features/sales/contract.ts'
import { jobs as autoTopUpJobs } from '#features/auto-top-ups/server/feature.ts'
import { jobs as licenceJobs } from '#features/licences/server/feature.ts'
import { addPlan } from '#features/licences/server/licences.ts'
import { must } from '#foundation/must.ts'
import type { Locale } from '#foundation/locale.ts'
import { toMoney } from '#foundation/money.ts'
import { jobs as salesJobs } from '#features/sales/server/feature.ts'
import { retryJob, takeJobs, type TakenJob } from '#foundation/server/jobs/queries.ts'
import { runTogether } from '#foundation/server/jobs/run-measured.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { signedInCustomer, type Customer } from './customer.ts'
import { addMoney } from './money.ts'
import { passTimeIn } from './passing-time.ts'
import { poolAt } from './pools.ts'
import type { TestApp } from './test-app.ts'

/** The plans of the tests. Without a country a customer pays the seller's 19 % on top. */
export const goods = {
  'standard-month': { term: 'P1M', price_net: 1990n, total: 2368n },
  'standard-quarter': { term: 'P3M', price_net: 5400n, total: 6426n },
  'standard-year': { term: 'P1Y', price_net: 19900n, total: 23681n },
} as const
export type Slug = keyof typeof goods

export async function stockShop({ app }: Pick<TestApp, 'app'>): Promise<void> {
  const name = { en: 'Standard', de: 'Standard', ru: 'Стандарт' }
  await transaction(app, 'system', async (tx) => {
    for (const [slug, { term, price_net }] of Object.entries(goods))
      await addPlan(tx, { slug, name, term, price_net })
  })
}

/** Sells a plan above those of the shop, with a term of a month: 40.00 before VAT. */
export async function sellLarge({ app }: Pick<TestApp, 'app'>): Promise<void> {
  const name = { en: 'Large', de: 'Groß', ru: 'Большой' }
  await transaction(app, 'system', (tx) =>
    addPlan(tx, { slug: 'large-month', name, term: 'P1M', price_net: 4000n }),
  )
}

/** Makes a customer with this balance (minor units). */
export async function buyer(
  test: Pick<TestApp, 'app' | 'client'>,
  balance: bigint,
  locale: Locale = 'en',
): Promise<Customer> {
  const customer = await signedInCustomer(test, { locale })
  if (balance > 0n) await addMoney(test.app, customer.user_id, balance)
  return customer
}

/** Returns an IPv4 address that no earlier call in this test file has returned. */
export const anyAddress = (): string => `10.${(count += 1) >> 16}.${(count >> 8) & 255}.${count & 255}`
let count = 0

/** The boxes that the customer ticks for an order. */
type Agreed = { terms?: string; begin_now?: boolean }
const none: Agreed = {}

export const orderHost = (
  { api }: Pick<Customer, 'api'>,
  {
    plan = 'standard-month',
    ipv4 = anyAddress(),
    key = randomUUID(),
    name = 'shop',
    total = priceOf(plan),
    agreed = none,
  } = {},
) =>
  api.call(contract.orderHost, {
    headers: { 'idempotency-key': key },
    body: { name, ipv4, plan, expected_total: toMoney(total, 'EUR'), ...agreed },
  })

/** Orders a trial on a new host. */
export const tryHost = (
  { api }: Pick<Customer, 'api'>,
  { plan = 'standard-month', ipv4 = anyAddress(), key = randomUUID(), name = 'tried', total = 0n } = {},
) =>
  api.call(contract.orderHost, {
    headers: { 'idempotency-key': key },
    body: { name, ipv4, plan, expected_total: toMoney(total, 'EUR'), trial: true },
  })

/** Orders a trial on an existing host. */
export const tryLicence = (
  { api }: Pick<Customer, 'api'>,
  hostId: string,
  { plan = 'standard-month', key = randomUUID(), total = 0n } = {},
) =>
  api.call(contract.orderLicence, {
    params: { hostId },
    headers: { 'idempotency-key': key },
    body: { plan, expected_total: toMoney(total, 'EUR'), trial: true },
  })

export const orderLicence = (
  { api }: Pick<Customer, 'api'>,
  hostId: string,
  { plan = 'standard-month', key = randomUUID(), total = priceOf(plan), agreed = none } = {},
) =>
  api.call(contract.orderLicence, {
    params: { hostId },
    headers: { 'idempotency-key': key },
    body: { plan, expected_total: toMoney(total, 'EUR'), ...agreed },
  })

/** Returns the price that is shown to a customer without a country; 0 for a plan that does not exist. */
const priceOf = (plan: string): bigint => (plan in goods ? goods[plan as Slug].total : 0n)

/** Lets days pass for all licences. */
export const passTime = ({ app }: Pick<TestApp, 'app'>, days: number): Promise<void> =>
  passTimeIn(app.ownerUrl, days)

/** Does the due jobs of licences until none is due, and waits for the jobs that the app's own worker does. */
export async function doLicenceJobs({ app }: Pick<TestApp, 'app'>): Promise<void> {
  const owner = poolAt(app.ownerUrl)
  const jobs = [...autoTopUpJobs, ...licenceJobs, ...salesJobs].filter((job) => job.every_s === undefined)
  const known = new Map(jobs.map((job) => [job.name, job]))
  const together = [...known.values()].flatMap((job) => (job.together ? [job.name] : []))
  const process_id = randomUUID()
  const doSome = async (done: readonly string[] = []): Promise<void> => {
    const wish = { done, names: [...known.keys()], from: ['money'] as const, together }
    const taken = await takeJobs(owner, process_id, wish)
    const [first] = taken
    if (!first) return
    const job = must(known.get(first.name))
    const failed: TakenJob[] = []
    for (const one of taken.length > 1 ? await runTogether(app, job, taken) : taken) {
      try {
        await job.run(app, one.payload, 'tests')
      } catch (error) {
        failed.push(one)
        await retryJob(owner, process_id, one.id, String(error))
      }
    }
    return doSome(taken.filter((one) => !failed.includes(one)).map(({ id }) => id))
  }
  do await Promise.all([doSome(), doSome(), doSome(), doSome()])
  while (await anyDue(owner))
}

/** True while a job is due, or the app's own worker does one: a job may make the next one due at once, under the same key. */
async function anyDue(owner: Pool): Promise<boolean> {
  const { rowCount } = await owner.query(
    `select from jobs where key like 'licence:%' and run_at <= now() and (taken_by is not null or attempts < max_attempts)`,
  )
  return Boolean(rowCount)
}

/** Returns the id of the transaction of a customer's only purchase. */
export async function spendingOf({ app }: Pick<TestApp, 'app'>, user_id: string): Promise<string> {
  const { id } = await app.db
    .selectFrom('transactions')
    .select('id')
    .where('user_id', '=', user_id)
    .where('type', '=', 'spend')
    .executeTakeFirstOrThrow()
  return id
}
