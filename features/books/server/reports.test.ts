import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { randomUUID } from 'node:crypto'
import { afterAll, expect, it } from 'vitest'
import { commands } from '#app/cli/commands.ts'
import * as contract from '#features/books/contract.ts'
import { getRecurring } from '#features/books/recurring-contract.ts'
import { addPlan } from '#features/licences/server/licences.ts'
import { updateProfile } from '#features/profile/contract.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { setStaffRoles } from '#foundation/server/session/session.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { bodyOf, refusal } from '#tests/harness/hosts.ts'
import { creditNote, issueIn } from '#tests/harness/invoices.ts'
import { addMoney, move } from '#tests/harness/money.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp({ settings: { COMPANY_TIME_ZONE: 'Europe/Berlin' } })
const { app } = test
const superuser = await superuserOf(test)
afterAll(() => superuser.end())

const billing = await signedInCustomer(test)
await transaction(app, 'system', (tx) => setStaffRoles(tx, billing.user_id, ['billing']))
const { user_id } = await signedInCustomer(test)

const eur = (amount: string) => ({ amount, currency: 'EUR' })
const DAY_MS = 86_400_000

await transaction(app, 'system', (tx) =>
  addPlan(tx, { slug: 'standard', name: { en: 'S', de: 'S', ru: 'S' }, term: 'P1M', price_net: 1000n }),
)
await superuser.query('set session_replication_role = replica')

type Host = { auto_renew?: boolean; net?: number }

/** Inserts a server with its paid periods, as orders would write them. */
async function plant(
  periods: readonly (readonly [from: string, to: string])[],
  { auto_renew = false, net }: Host = {},
) {
  const { rows } = await superuser.query<{ id: string }>(
    `insert into hosts (public_id, user_id, name, licence_key, auto_renew, paid_until)
     values (substr(replace(gen_random_uuid()::text, '-', ''), 1, 22), $1, 'web', gen_random_uuid()::text, $2, $3) returning id`,
    [user_id, auto_renew, periods.at(-1)?.[1]],
  )
  for (const [from, to] of periods)
    await superuser.query(
      `with ordered as (
         insert into licence_orders (id, user_id, host_id, kind, plan, plan_name, term, ipv4, net, vat, total, vat_rate_bp, currency,
           transaction_id, invoice_id, ordered_at)
         values (gen_random_uuid(), $1, $2, 'order', 'standard', '{}', 'P1M', '192.0.2.1', 1000, 190, 1190, 1900, 'EUR',
           gen_random_uuid(), gen_random_uuid(), $3) returning *)
       insert into paid_periods (user_id, host_id, order_id, starts_at, ends_at, anchor_day, plan, edition, term, net, payer_id,
         invoice_id, transaction_id, term_starts_at, entitlements)
       select $1, $2, id, $3, $4, 1, plan, 'standard', term, net, $1, invoice_id, transaction_id, $3, '{}' from ordered`,
      [user_id, rows[0]?.id, from, to],
    )
  if (net !== undefined)
    await superuser.query(
      `insert into licence_watches (host_id, user_id, ends_at, announced_net) values ($1, $2, $3, $4)`,
      [rows[0]?.id, user_id, periods.at(-1)?.[1], net],
    )
}

it('B-13, L-30 counts paid licences that ran when a month began, and those that ended in it and did not go on within 7 days', async () => {
  // A licence that was renewed at once, and then ended.
  await plant([
    ['2025-01-10T12:00:00Z', '2025-02-10T12:00:00Z'],
    ['2025-02-10T12:00:00Z', '2025-03-10T12:00:00Z'],
  ])
  // A licence that was renewed five days late, and then ended.
  await plant([
    ['2025-01-15T12:00:00Z', '2025-02-15T12:00:00Z'],
    ['2025-02-20T12:00:00Z', '2025-03-20T12:00:00Z'],
  ])
  // A licence from the first moment of February in Berlin to that of March, and another period eight days later.
  await plant([
    ['2025-01-31T23:00:00Z', '2025-02-28T23:00:00Z'],
    ['2025-03-08T23:00:00Z', '2025-04-08T22:00:00Z'],
  ])
  // A trial that ended in February and was never paid for.
  const tried = ['2025-01-20T12:00:00Z', '2025-02-03T12:00:00Z'] as const
  await plant([tried])
  await superuser.query(
    `insert into trials (user_id, edition, order_id, host_id, starts_at, ends_at)
     select p.user_id, e.slug, p.order_id, p.host_id, p.starts_at, p.ends_at from paid_periods p, editions e
     where p.starts_at = $1 and e.slug = (select edition from plans where slug = 'standard')`,
    [tried[0]],
  )
  const span = { from: '2025-01', to: '2025-04' }
  const answer = bodyOf(await billing.api.call(contract.getChurn, { query: span }), 200)
  expect(answer).toEqual({
    first_month: '2025-01',
    last_month: '2025-04',
    rows: [
      { month: '2025-01', running: 0, ended: 0, is_final: true },
      { month: '2025-02', running: 3, ended: 0, is_final: true },
      { month: '2025-03', running: 2, ended: 3, is_final: true },
      { month: '2025-04', running: 1, ended: 1, is_final: true },
    ],
  })
  const recent = bodyOf(await billing.api.call(contract.getChurn, { query: {} }), 200).rows
  expect(recent).toHaveLength(24)
  expect(recent.at(-1)).toMatchObject({ is_final: false })
})

it('B-13 says which of the renewals to come the balance covers, at the price of their mails', async () => {
  const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()
  const began = inDays(-20)
  await plant([[began, inDays(5)]], { auto_renew: true })
  await plant([[began, inDays(9)]], { auto_renew: true, net: 900 })
  await plant([[began, inDays(15)]], { auto_renew: true })
  // Three more licences are not counted: one is renewed by hand, one is over, and one ends too late.
  await plant([[began, inDays(6)]])
  await plant([[began, inDays(-4)]], { auto_renew: true })
  await plant([[began, inDays(40)]], { auto_renew: true })
  await superuser.query(
    `with account as (insert into ledger_accounts (kind, user_id, currency) values ('customer', $1, 'EUR') returning id)
     insert into balances (account_id, user_id, currency, balance) select id, $1, 'EUR', 2300 from account`,
    [user_id],
  )
  const { days } = bodyOf(await billing.api.call(contract.getRenewals, { query: {} }), 200)
  const none = { covered: 0, covered_total: eur('0'), uncovered: 0, uncovered_total: eur('0') }
  const dayIn = (count: number) =>
    new Date(Date.now() + count * DAY_MS).toLocaleDateString('sv-SE', { timeZone: 'Europe/Berlin' })
  expect(days).toEqual([
    { ...none, day: dayIn(4), covered: 1, covered_total: eur('1190') },
    { ...none, day: dayIn(8), covered: 1, covered_total: eur('1071') },
    { ...none, day: dayIn(14), uncovered: 1, uncovered_total: eur('1190') },
  ])
  const soon = await billing.api.call(contract.getRenewals, { query: { days: '5' } })
  expect(bodyOf(soon, 200).days).toHaveLength(1)
})

it('refuses months that are none, too many, or in the wrong order', async () => {
  const refused = [
    [{ from: '2025-13' }, 'invalid', 'from'],
    [{ from: '2023-12', to: '2025-12' }, 'period_too_long', 'from'],
    [{ from: '2025-12', to: '2025-11' }, 'invalid', 'to'],
  ] as const
  for (const [query, code, param] of refused)
    for (const report of [contract.getChurn, contract.getRevenue])
      expect((await billing.api.call(report, { query })).body).toMatchObject(refusal(400, code, param))
  expect((await billing.api.call(contract.getRenewals, { query: { days: '93' } })).status).toBe(400)
})

const fileOf = async (path: string, query: Record<string, string> = {}): Promise<string[][]> => {
  const { body } = await billing.api.get<string>(path, { query })
  const [, ...lines] = body.trimEnd().split('\r\n')
  return lines.map((line) => line.split(','))
}
const centsOf = (text = ''): bigint => BigInt(text.replace('.', ''))

const here = { config: app.config, log: app.log, ownerUrl: app.ownerUrl, close: async () => {} }
const report = (name: string, options: object) =>
  must(commands[`report ${name}`]).run(here, [], { ...options })

it('B-16 tells the balance of each customer at the end of a day, money from gifts, and comes to what the ledger owes to the cent', async () => {
  const [rich, given, debtor] = [
    await signedInCustomer(test),
    await signedInCustomer(test),
    await signedInCustomer(test),
  ]
  await rich.api.call(updateProfile, { body: { name: 'Anna', surname: 'Berger' } })
  const voucher = { code: 'voucher', params: {} } as const
  await addMoney(app, rich.user_id, 123_45n)
  for (const one of [rich, given])
    await move(app, {
      type: 'fill_balance_voucher',
      user_id: one.user_id,
      amount: 7_00n,
      description: voucher,
    })
  const paid = await addMoney(app, debtor.user_id, 10_00n)
  const order = { code: 'licence_order', params: {} } as const
  await move(app, { type: 'spend', user_id: debtor.user_id, amount: 4_00n, description: order })
  const back = { code: 'charge_back', params: { provider: 'test' } } as const
  await move(app, {
    type: 'charge_back',
    user_id: debtor.user_id,
    amount: 10_00n,
    provider: 'test',
    description: back,
    reverses: paid.transaction_id,
  })
  const told = bodyOf(await billing.api.call(contract.getBalances, { query: {} }), 200)
  expect(told).toMatchObject({ owed: eur('13745'), gifts: eur('1400'), debts: eur('400'), customers: 3 })
  expect(told.largest).toEqual([
    { customer: { id: rich.user_id, name: 'Anna Berger' }, balance: eur('13045'), gift: eur('700') },
    { customer: { id: given.user_id, name: given.email }, balance: eur('700'), gift: eur('700') },
    { customer: { id: debtor.user_id, name: debtor.email }, balance: eur('-400'), gift: eur('0') },
  ])
  // Noon of the day in the company's time zone: days of 23 and 25 hours lie between in spring and autumn.
  const twelveDaysAgo = `((now() at time zone 'Europe/Berlin')::date - 12 + time '12:00') at time zone 'Europe/Berlin'`
  const owes = { customer: { id: debtor.user_id, name: debtor.email }, debt: eur('400') }
  expect(told.debtors).toMatchObject([owes])
  await superuser.query(
    `insert into debts (user_id, began_at) values ($1, ${twelveDaysAgo}) on conflict do nothing`,
    [debtor.user_id],
  )
  await superuser.query(`update debts set began_at = ${twelveDaysAgo} where user_id = $1`, [debtor.user_id])
  expect(bodyOf(await billing.api.call(contract.getBalances, { query: {} }), 200).debtors).toMatchObject([
    { ...owes, days: 12 },
  ])
  expect((await report('debts', {})).lines.join('\n')).toMatch(/4\.00 EUR {2}since .*, 12 days/)
  expect((await report('debts', { day: '2020-01-31' })).lines).toEqual(['Nobody owes anything.'])
  const csv = path.join(mkdtempSync(path.join(tmpdir(), 'debts-')), 'debts.csv')
  expect((await report('debts', { csv })).lines).toEqual([`Wrote 1 debts to ${csv}.`])
  expect(readFileSync(csv, 'utf8')).toMatch(/,4\.00,EUR,\d{4}-\d\d-\d\d,12\r\n$/)
  await expect(report('debts', { csv })).rejects.toThrow('is there already')
  const liability = bodyOf(await billing.api.call(contract.getLiability, { query: {} }), 200)
  expect(liability).toMatchObject({ owed: told.owed, gifts: told.gifts, debts: told.debts })
  const { rows } = await superuser.query<{ sum: string }>(
    'select sum(e.amount) from entries e join ledger_accounts a on a.id = e.account_id where a.user_id is not null',
  )
  const lines = await fileOf('/api/staff/books/balances.csv')
  const sum = (column: number) => lines.reduce((all, line) => all + centsOf(line[column]), 0n)
  expect([String(sum(2)), sum(3), sum(4)]).toEqual([rows[0]?.sum, 14_00n, 119_45n])
  expect(lines[0]).toEqual(['Anna Berger', rich.user_id, '130.45', '7.00', '123.45', 'EUR', '', ''])
  expect(lines.at(-1)?.slice(-1)).toEqual(['12'])
  const before = bodyOf(await billing.api.call(contract.getBalances, { query: { day: '2020-01-31' } }), 200)
  expect(before).toMatchObject({ day: '2020-01-31', owed: eur('0'), customers: 0, largest: [] })
})

it('B-17 tells how much of what was sold is for time after a month, by day; a refund lowers all of the time, an upgrade what is left of it', async () => {
  const { user_id: buyer_id } = await signedInCustomer(test)
  // 30 days from 21 November to 20 December, of which 20 are in December.
  const sold = (transaction_id: string, issued_at: Date) =>
    transaction(app, 'system', (tx) =>
      issueIn(app, tx, buyer_id, { nets: [30_00n], transaction_id, issued_at }),
    )
  const issued_at = new Date('2026-11-21T10:00:00Z')
  const [kept, refunded, upgraded] = [randomUUID(), randomUUID(), randomUUID()]
  for (const one of [kept, refunded, upgraded]) await sold(one, issued_at)
  const credit = (transaction_id: string, amount: bigint, cause: 'refund' | 'upgrade') =>
    transaction(app, 'system', async (tx) => {
      const note = { user_id: buyer_id, transaction_id, refund_transaction_id: randomUUID(), amount, cause }
      await creditNote(app, tx, note)
    })
  const deferredAt = async (month: string) => {
    const { rows } = bodyOf(
      await billing.api.call(contract.getDeferred, { query: { from: month, to: month } }),
      200,
    )
    const lines = await fileOf('/api/staff/books/deferred.csv', { month })
    expect(lines.reduce((all, line) => all + centsOf(line[8]), 0n)).toBe(
      BigInt(rows[0]?.deferred.amount ?? 0),
    )
    return [rows[0]?.documents ?? 0, BigInt(rows[0]?.deferred.amount ?? 0)]
  }
  expect(await deferredAt('2026-10')).toEqual([0, 0n])
  expect(await deferredAt('2026-11')).toEqual([3, 60_00n])
  expect(await deferredAt('2026-12')).toEqual([0, 0n])
  // Half of the price, 15.00 net, comes back: a half of the 20 days as well.
  await credit(refunded, 17_85n, 'refund')
  await superuser.query("update invoices set issued_at = '2026-11-25T10:00:00Z' where kind = 'credit_note'")
  expect(await deferredAt('2026-11')).toEqual([4, 50_00n])
  // An upgrade on 26 November credits the 25 days from then to the end: nothing of them is left for December.
  await credit(upgraded, 29_75n, 'upgrade')
  await superuser.query(
    `update invoices set issued_at = '2026-11-26T10:00:00Z' where kind = 'credit_note' and id = (select max(id) from invoices)`,
  )
  expect(await deferredAt('2026-11')).toEqual([5, 30_00n])
  const [first] = await fileOf('/api/staff/books/deferred.csv', { month: '2026-11' })
  expect(first?.slice(5)).toEqual(['2026-11-21', '2026-12-20', '30.00', '20.00', 'EUR'])
})

type Sold = { payer_id: string; plan?: string; term?: string; net: number; currency?: string; trial?: true }

/** Inserts a paid period of a server of another account, as an order would write it. */
const sold = (
  { payer_id, plan = 'standard', term = 'P1M', net, currency = 'EUR', trial }: Sold,
  [from, to]: readonly [string, string],
  {
    ended = null,
    term_from = from,
  }: { ended?: 'upgraded' | 'deleted' | 'refunded' | null; term_from?: string } = {},
) =>
  superuser.query(
    `with host as (
       insert into hosts (public_id, user_id, name, licence_key) values (substr(replace(gen_random_uuid()::text, '-', ''), 1, 22), $1, 'web', gen_random_uuid()::text)
       returning id),
     ordered as (
       insert into licence_orders (id, user_id, host_id, kind, plan, plan_name, term, ipv4, net, vat, total, vat_rate_bp, currency,
         transaction_id, invoice_id, ordered_at)
       select gen_random_uuid(), $1, id, 'order', $2, '{}', $3, '192.0.2.1', 1000, 190, 1190, 1900, $4, gen_random_uuid(), gen_random_uuid(), $5 from host
       returning *)
     insert into paid_periods (user_id, host_id, order_id, starts_at, ends_at, anchor_day, plan, edition, term, net, payer_id,
       invoice_id, transaction_id, term_starts_at, entitlements, ended)
     select $1, host_id, id, $5, $6, 1, plan, 'standard', term, $7, $8, case when $8::uuid is not null then invoice_id end,
       case when $8::uuid is not null then transaction_id end, $9, '{}', $10 from ordered`,
    [user_id, plan, term, currency, from, to, net, trial ? null : payer_id, term_from, ended],
  )

it('B-18 tells recurring revenue, and customers won and lost, by month, plan and customer', async () => {
  await transaction(app, 'system', (tx) =>
    addPlan(tx, { slug: 'big', name: { en: 'B', de: 'B', ru: 'B' }, term: 'P1Y', price_net: 24_000n }),
  )
  const [anna, boris, clara, emil] = await Promise.all(
    Array.from({ length: 4 }, () => signedInCustomer(test)),
  )
  const of = (one: typeof anna, net: number) => ({ payer_id: must(one).user_id, net })
  // Anna buys for a month, again at once, again ten days after the end, and something that is given back.
  await sold(of(anna, 1000), ['2023-01-10T12:00:00Z', '2023-02-10T12:00:00Z'])
  await sold(of(anna, 1000), ['2023-02-10T12:00:00Z', '2023-03-10T12:00:00Z'])
  await sold(of(anna, 1000), ['2023-03-20T12:00:00Z', '2023-04-20T12:00:00Z'])
  await sold(of(anna, 0), ['2023-01-12T12:00:00Z', '2023-06-12T12:00:00Z'], { ended: 'refunded' })
  // Boris buys a year for 120.00, of which an upgrade credits all but 89 of 365 days; the rest of the year costs its share of 240.00.
  const year = ['2023-02-15T12:00:00Z', '2024-02-15T12:00:00Z'] as const
  const upgraded = '2023-05-15T12:00:00Z'
  await sold({ ...of(boris, 2926), term: 'P1Y' }, [year[0], upgraded], { ended: 'upgraded' })
  await sold({ ...of(boris, 18_148), plan: 'big', term: 'P1Y' }, [upgraded, year[1]], { term_from: year[0] })
  // Clara has three months from the first to the last moment of months in Berlin, and got 6.00 of 30.00 back.
  await sold({ ...of(clara, 2400), term: 'P3M' }, ['2023-02-28T23:00:00Z', '2023-05-31T22:00:00Z'])
  // Emil deletes a server, and nothing is given back; a trial and another currency do not count.
  await sold({ ...of(emil, 3000), term: 'P3M' }, ['2023-04-02T12:00:00Z', '2023-05-10T12:00:00Z'], {
    ended: 'deleted',
  })
  await sold({ ...of(emil, 0), trial: true }, ['2023-01-02T12:00:00Z', '2023-01-16T12:00:00Z'])
  await sold({ ...of(emil, 9000), currency: 'CHF' }, ['2023-01-02T12:00:00Z', '2023-02-02T12:00:00Z'])

  const span = { from: '2023-01', to: '2023-06' }
  const told = bodyOf(await billing.api.call(getRecurring, { query: span }), 200)
  const rows = told.months.map(({ month, mrr, licences, customers, joined, returned, lost }) =>
    [month, mrr.amount, licences, customers, joined, returned, lost].join(' '),
  )
  expect(rows).toEqual([
    '2023-01 1000 1 1 1 0 0',
    '2023-02 2000 2 2 1 0 0',
    '2023-03 2800 3 3 1 1 1',
    '2023-04 2800 3 3 1 0 1',
    '2023-05 2800 2 2 0 0 1',
    '2023-06 2000 1 1 0 0 1',
  ])
  expect(told.months[4]).toMatchObject({ yearly: eur('33600'), is_final: true })
  const may = bodyOf(await billing.api.call(getRecurring, { query: { ...span, to: '2023-05' } }), 200)
  expect(may.plans).toMatchObject([
    { plan: 'big', licences: 1, customers: 1, mrr: eur('2000') },
    { plan: 'standard', licences: 1, customers: 1, mrr: eur('800') },
  ])
  expect(may.best).toMatchObject([
    { customer: { id: boris?.user_id }, mrr: eur('2000') },
    { customer: { id: clara?.user_id }, mrr: eur('800') },
  ])
  const { lines } = await report('revenue', { month: '2023-05' })
  expect(lines).toContain(
    '2023-05  MRR 28.00  ARR 336.00 EUR  2 licences, 2 customers: 0 new, 0 back, 1 lost',
  )
  await expect(report('revenue', { month: '2023-5' })).rejects.toThrow('--month')
})
