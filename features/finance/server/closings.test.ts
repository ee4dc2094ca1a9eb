import { afterAll, expect, it } from 'vitest'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { checkLedger } from './check.ts'
import { closeMonths } from './closings.ts'
import { customersAt, customersAtEnds } from './closings-queries.ts'

const test = await startTestApp({ settings: { COMPANY_TIME_ZONE: 'Europe/Berlin' } })
const { app } = test
const superuser = await superuserOf(test)
afterAll(() => superuser.end())

const people = await Promise.all(
  Array.from({ length: 4 }, async () => (await signedInCustomer(test)).user_id),
)

/** Writes entries in the past, as only a test may: 40 bookings of each customer, up and down, over half a year. */
await asReplica(
  `with account as (
     insert into ledger_accounts (kind, user_id, currency) select 'customer', unnest($1::uuid[]), 'EUR' returning id, user_id),
   booked as (
     select gen_random_uuid() as transaction_id, id, user_id, seq, (random() * 4000)::bigint - 2200 as amount,
       timestamptz '2025-01-20' + (seq + random()) * interval '4 days' as at
     from account cross join generate_series(1, 40) seq),
   kept as (select * from booked where amount <> 0),
   revenue as (insert into ledger_accounts (kind, currency) values ('revenue', 'EUR') returning id),
   theirs as (
     insert into entries (transaction_id, account_id, currency, amount, type, user_id, seq, balance_after, created_at)
     select transaction_id, id, 'EUR', amount, 'charge_back', user_id, row_number() over its, sum(amount) over its, at
     from kept window its as (partition by id order by seq))
   insert into entries (transaction_id, account_id, currency, amount, type, created_at)
   select transaction_id, revenue.id, 'EUR', -amount, 'charge_back', at from kept, revenue`,
  [people],
)

async function asReplica(statement: string, values: unknown[] = []): Promise<void> {
  await superuser.query('begin')
  await superuser.query('set local session_replication_role = replica')
  await superuser.query(statement, values)
  await superuser.query('commit')
}

/** Returns the sums without the closings, from the last balance of each account before a moment. */
async function plainSum(at: Date) {
  const { rows } = await superuser.query<{ owed: string; debts: string }>(
    `select coalesce(sum(balance) filter (where balance > 0), 0) as owed, coalesce(-sum(balance) filter (where balance < 0), 0) as debts
     from (select distinct on (account_id) balance_after as balance from entries
       where user_id is not null and created_at < $1 order by account_id, seq desc) as last`,
    [at],
  )
  return { owed: BigInt(rows[0]?.owed ?? 0), debts: BigInt(rows[0]?.debts ?? 0) }
}

const moments = [
  new Date('2025-01-01'),
  new Date('2025-02-28T23:00:00Z'),
  ...Array.from({ length: 40 }, () => new Date(Date.UTC(2025, 0, 20) + Math.random() * 200 * 86_400_000)),
  new Date(),
]

async function expectPlainSums(): Promise<void> {
  for (const at of moments)
    expect(await customersAt(app.db, at, 'EUR'), at.toISOString()).toEqual(await plainSum(at))
}

const closings = () =>
  superuser.query<{ month: string; until: Date }>(
    'select distinct month::text, until from ledger_closings order by 1',
  )
const damagesOfClosings = async () =>
  (await checkLedger(app.ownerUrl)).damages.filter(({ law }) => law.startsWith('a closed month'))

it('B-12 the money owed to customers at any moment is the plain sum of their balances, before and after months are closed', async () => {
  await expectPlainSums()
  const closed = await closeMonths(app)
  const { rows } = await closings()
  expect(rows).toHaveLength(closed)
  // Months begin and end by the time in Berlin; the first is the month of the first entry.
  expect(rows[1]).toEqual({ month: '2025-02-01', until: new Date('2025-02-28T23:00:00Z') })
  await expectPlainSums()
  const [, february] = await customersAtEnds(app.db, { before: new Date(), currency: 'EUR', limit: closed })
  const until = new Date('2025-02-28T23:00:00Z')
  expect(february).toEqual({ month: '2025-02', until, ...(await plainSum(until)) })
  expect(await damagesOfClosings()).toEqual([])
})

it('B-12 closes a month once, 48 hours after its end, whoever closes at the same time', async () => {
  const before = (await closings()).rows
  await asReplica(`delete from ledger_closings where month >= '2025-06-01'`)
  await Promise.all([closeMonths(app), closeMonths(app), closeMonths(app)])
  expect((await closings()).rows).toEqual(before)
  const last = before.at(-1)?.until.getTime() ?? 0
  expect(Date.now() - last).toBeGreaterThanOrEqual(48 * 3_600_000)
})

it('B-12 ledger check finds an old month that changed, and a closing nothing can change', async () => {
  await expect(superuser.query(`update ledger_closings set sum = sum + 1`)).rejects.toThrow(/append-only/)
  await expect(superuser.query('delete from ledger_closings')).rejects.toThrow(/append-only/)
  await asReplica(`update entries set created_at = '2025-03-31 21:59:59Z' where created_at = (
    select min(created_at) from entries where created_at >= '2025-03-31 22:00:00Z')`)
  expect(await damagesOfClosings()).toEqual(
    expect.arrayContaining([
      { law: 'a closed month holds what its entries come to', what: '2025-03-01 revenue ' },
    ]),
  )
})
