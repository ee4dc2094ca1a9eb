import { readFileSync } from 'node:fs'
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { listProposals } from '#features/assistants/contract.ts'
import { listBankLines, type BankImport } from '#features/banking/contract.ts'
import { getAnyInvoice, getLiability, getRevenue } from '#features/books/contract.ts'
import { monthAfter } from '#features/books/rules.ts'
import { getFinances, listTopUps, listTransactions, redeemVoucher } from '#features/finance/contract.ts'
import { transactionTypes } from '#features/finance/rules.ts'
import { checkLedger } from '#features/finance/server/finance.ts'
import { getMetrics, listHosts, makeAgentToken } from '#features/hosts/contract.ts'
import { getInvoice, listInvoices } from '#features/invoices/contract.ts'
import { vatKinds } from '#features/invoices/rules.ts'
import { getTerms } from '#features/legal/contract.ts'
import { listPaidPeriods } from '#features/sales/contract.ts'
import { listPlans } from '#features/licences/contract.ts'
import { listMachines } from '#features/licences/machines.ts'
import { listAgreements } from '#features/payers/contract.ts'
import { listGrants } from '#features/sharing/contract.ts'
import type { Client } from '#tests/harness/client.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { connected } from './anna-year.ts'
import { clientele } from './clientele.ts'
import { demoAgent } from './demo-agent.ts'
import { seedDemo } from './seed-demo.ts'
import { anna, mikhail, olivia } from './people.ts'
import { redeemable } from './vouchers.ts'
import { must } from '#foundation/must.ts'

// The operator asks for these today. The orders of the past were made without them.
const { app, client } = await startTestApp({
  settings: {
    TERMS_URL: 'https://example.com/terms',
    TERMS_VERSION: '2026-11',
    WITHDRAWAL_URL: 'https://example.com/withdrawal',
  },
})
const [first, second] = await Promise.all([seedDemo(app), seedDemo(app)])
const owner = new pg.Client({ connectionString: app.ownerUrl })
await owner.connect()
afterAll(() => owner.end())
const hers = await signedIn(anna)
const his = await signedIn(mikhail)

async function signedIn({ email, password }: { email: string; password: string }): Promise<Client> {
  const browser = client()
  await browser.post('/api/allauth/app/v1/auth/login', { email, password })
  return browser
}

const transactionsOf = async (api: Client) =>
  (await api.call(listTransactions, { query: { limit: '100' } })).body.items
const hostsOf = async (api: Client) => (await api.call(listHosts, { query: { sort: 'name' } })).body.items

describe('the example year', () => {
  it('is written once, though two processes begin it at the same moment', () => {
    expect([first, second].filter(({ logins }) => logins.length > 0)).toHaveLength(1)
    expect(first.logins.length + second.logins.length).toBe(4)
  })

  it('the past leaves no mails and no announcements; only what comes is planned', async () => {
    const { rows } = await owner.query(`select (select count(*)::int from mails) as mails,
      array(select key from jobs where key not like all (array['licence:%', 'ticket-%'])) as jobs`)
    expect(rows).toEqual([{ mails: 0, jobs: [] }])
  })

  it('rules 7, 8: is in balance, and every guard is in force again', async () => {
    expect(await checkLedger(app.ownerUrl)).toMatchObject({ damages: [] })
    const off = `select tgname from pg_trigger where tgenabled <> 'O' and not tgisinternal`
    expect((await owner.query(off)).rows).toEqual([])
    await owner.query(`select set_config('app.actor', 'system', false)`)
    for (const table of ['transactions', 'entries', 'invoices', 'licence_orders'])
      await expect(owner.query(`delete from ${table}`)).rejects.toThrow('append-only')
    await expect(owner.query('update balances set balance = 1')).rejects.toThrow('follows its entries')
  })

  it('F-01: has transactions of all seven types, from a year ago until now', async () => {
    const all = await transactionsOf(hers)
    expect(new Set(all.map(({ type }) => type))).toEqual(new Set(transactionTypes))
    const ages = all.map(({ created_at }) => (Date.now() - Date.parse(created_at)) / 86_400_000)
    expect(Math.max(...ages)).toBeGreaterThan(350)
    expect(Math.min(...ages)).toBeLessThan(31)
    expect(ages).toEqual(ages.toSorted((one, other) => one - other))
  })

  it('H-01: shows an active, an expiring, an expired and a free server', async () => {
    const hosts = await hostsOf(hers)
    expect(hosts.map(({ name, licence }) => [name, licence.status])).toEqual([
      ['brave-otter-42', 'free'],
      ['harbour-web-01', 'active'],
      ['old-blog', 'expired'],
      ['shop-api', 'active'],
      ['shop-staging', 'active'],
    ])
    expect((hosts[4]?.licence.remaining_s ?? 0) / 86_400).toBeLessThan(7)
  })

  it('L-01, L-02: terms of before are accepted, the present ones are asked for, and an order was withdrawn from and refunded', async () => {
    expect((await hers.call(getTerms, {})).body).toMatchObject({
      current: { version: '2026-11' },
      accepted: { version: '2025-06' },
    })
    const { rows } = await owner.query(`select w.id from withdrawals w
      join withdrawal_refunds r on r.withdrawal_id = w.id`)
    expect(rows).toHaveLength(1)
  })

  it('O-02: Mikhail helps Anna with all her servers, without their prices', async () => {
    const { items } = (await his.call(listGrants, { query: { side: 'received' } })).body
    expect(items).toMatchObject([
      { account: { name: 'Anna Berger' }, role: 'technical', all_hosts: true, state: 'active' },
    ])
    const account = must(must(items[0]).account)
    const shared = (await his.call(listHosts, { query: { for: account.id, sort: 'name' } })).body.items
    expect(shared.map(({ name, licence }) => [name, licence.price])).toEqual(
      (await hostsOf(hers)).map(({ name }) => [name, null]),
    )
  })

  it('Y-02: Mikhail pays for one of her servers, up to a limit a month', async () => {
    const { items } = (await his.call(listAgreements, { query: { side: 'payer' } })).body
    expect(items).toMatchObject([
      {
        account: { name: 'Anna Berger' },
        hosts: 1,
        pays: 'all',
        month_limit: { amount: '3000' },
        state: 'active',
      },
    ])
    const { rows } = await owner.query(
      `select u.email, i.total::text from licence_orders o join users u on u.id = o.payer_id join invoices i on i.user_id = o.payer_id
         and i.transaction_id = o.transaction_id where o.agreement_id = $1`,
      [must(items[0]).id],
    )
    expect(rows).toEqual([{ email: mikhail.email, total: '1990' }])
  })

  it('L-20: shows a server that staff suspended', async () => {
    const suspended = (await hostsOf(his)).filter(({ licence }) => licence.suspended)
    expect(suspended).toMatchObject([{ name: 'jurmala-backup', licence: { suspended: { reason: 'abuse' } } }])
  })

  it('L-10: shows a server whose plan changes in twelve days, and editions that differ', async () => {
    const { licence } = must((await hostsOf(hers)).find(({ name }) => name === 'shop-api'))
    expect(licence).toMatchObject({
      plan: { slug: 'starter-month' },
      edition: 'starter',
      next: { plan: { slug: 'standard-month' }, edition: 'standard' },
    })
    const days = (Date.parse(licence.next?.starts_at ?? '') - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(10)
    expect(days).toBeLessThan(15)
    const { items } = (await hers.call(listPlans, { query: {} })).body
    expect(items.every(({ description, features }) => description.ru !== '' && features.length > 1)).toBe(
      true,
    )
    expect(items.find(({ slug }) => slug === 'standard-year')?.saving).toMatchObject({ percent: '16' })
  })

  it('L-16: a server was upgraded within its month: the unused part is credited, the rest bought to the same end', async () => {
    const { id: hostId } = must((await hostsOf(hers)).find(({ name }) => name === 'shop-staging'))
    const { items } = (await hers.call(listPaidPeriods, { params: { hostId }, query: {} })).body
    const [bought, cut, byMistake, ...others] = items
    expect(others).toEqual([])
    expect(byMistake).toMatchObject({ ended: 'refunded', term: 'P1Y' })
    expect(bought).toMatchObject({ kind: 'upgrade', ended: null, plan: { en: 'Standard' } })
    expect(cut).toMatchObject({ ended: 'upgraded', plan: { en: 'Starter' }, ends_at: bought?.starts_at })
    const ago_days = (Date.now() - Date.parse(bought?.starts_at ?? '')) / 86_400_000
    expect(Math.abs(ago_days - 10)).toBeLessThan(1)
    const { rows } = await owner.query<{ credit: string; paid: string; at: Date }>(
      `select n.net::text as credit, i.net::text as paid, t.created_at as at from invoices n
       join transactions t on t.id = n.transaction_id join transactions r on r.id = t.reverses
       join licence_orders o on o.transaction_id = r.id join invoices i on i.transaction_id = r.id and i.kind = 'invoice'
       where n.kind = 'credit_note' and t.description ->> 'code' = 'upgrade_credit' and o.plan = 'starter-month'`,
    )
    const [{ credit, paid, at }] = rows as [(typeof rows)[0]]
    const [starts, ends] = [cut?.starts_at ?? '', bought?.ends_at ?? ''].map((time) => Date.parse(time))
    const share = (must(ends) - Date.parse(bought?.starts_at ?? '')) / (must(ends) - must(starts))
    expect([Number(paid), Number(credit)]).toEqual([490, Math.round(490 * share)])
    expect(Math.abs(at.getTime() - Date.parse(bought?.starts_at ?? ''))).toBeLessThan(60_000)
  })

  it('L-27: a machine runs beside the one that the licence allows', async () => {
    const { id: hostId } = must((await hostsOf(hers)).find(({ name }) => name === 'shop-api'))
    const { limit, items } = (await hers.call(listMachines, { params: { hostId } })).body
    expect([limit, ...items.map(({ hostname, is_over }) => [hostname, is_over])]).toEqual([
      1,
      ['shop-api', false],
      ['shop-api-copy', true],
    ])
  })

  it('L-30: an edition is tried on a server, and not offered again to who tries it', async () => {
    const { licence } = must((await hostsOf(his)).find(({ name }) => name === 'liepaja-lab'))
    expect(licence).toMatchObject({ status: 'active', edition: 'business', price: { amount: '0' } })
    expect(Math.abs(Date.parse(licence.trial_until ?? '') - Date.now() - 9 * 86_400_000)).toBeLessThan(
      86_400_000,
    )
    const daysOf = async (api: Client) => {
      const { items } = (await api.call(listPlans, { query: {} })).body
      return items.find(({ slug }) => slug === 'business-month')?.trial_days
    }
    expect([await daysOf(hers), await daysOf(his)]).toEqual([14, 0])
    const { rows } = await owner.query(
      `select (detail ->> 'until')::timestamptz = p.ends_at as until, t.starts_at = p.starts_at as since, o.ordered_at = p.starts_at as ordered
       from trials t join paid_periods p on p.order_id = t.order_id join licence_orders o on o.id = t.order_id
         join audit a on a.act = 'licence.tried'`,
    )
    expect(rows).toEqual([{ until: true, since: true, ordered: true }])
  })

  it('shows how long the balance lasts', async () => {
    const { body } = await hers.call(getFinances, {})
    expect(body.upcoming.map(({ host_name }) => host_name)).toEqual([connected.name])
    expect(Date.parse(body.lasts_until ?? '') - Date.now()).toBeGreaterThan(30 * 86_400_000)
  })
})

describe('the invoices of the example year', () => {
  it('rule 13: are numbered without a gap in each year, in the order of their days', async () => {
    const { rows } = await owner.query<{ number: string; year: number; place: string; issued_at: Date }>(
      'select number, year, place, issued_at from invoices order by id',
    )
    const places = new Map<number, number>()
    for (const { number, year, place, issued_at } of rows) {
      places.set(year, (places.get(year) ?? 0) + 1)
      expect([Number(place), number]).toEqual([
        places.get(year),
        `HD-${year}-${String(places.get(year)).padStart(6, '0')}`,
      ])
      expect(issued_at.toLocaleDateString('sv', { timeZone: 'Europe/Berlin' })).toContain(String(year))
    }
    expect(rows.map(({ issued_at }) => issued_at)).toEqual(
      rows.map(({ issued_at }) => issued_at).toSorted((one, other) => one.getTime() - other.getTime()),
    )
    const counters = await owner.query(
      'select year, last_number::int as last from invoice_counters order by 1',
    )
    expect(counters.rows).toEqual([...places].map(([year, last]) => ({ year, last })))
  })

  it('bear 19 % VAT, 21 % under OSS or 0 % under reverse charge, and match the charge in total and time', async () => {
    const kinds = `select distinct u.email, i.vat_kind, i.vat_rate_bp::int as rate from invoices i
      join users u on u.id = i.user_id where u.email = any($1) order by 1, 2`
    expect((await owner.query(kinds, [[anna.email, mikhail.email]])).rows).toEqual([
      { email: anna.email, vat_kind: 'standard', rate: 1900 },
      { email: mikhail.email, vat_kind: 'oss', rate: 2100 },
      { email: mikhail.email, vat_kind: 'reverse_charge', rate: 0 },
    ])
    const unlike = `select i.number from invoices i join entries e on e.transaction_id = i.transaction_id and e.of_customer
      where i.version = 1 and (abs(e.amount) <> i.total + i.gift or e.created_at <> i.issued_at)`
    expect((await owner.query(unlike)).rows).toEqual([])
    const { items } = (await hers.call(listInvoices, { query: {} })).body
    expect(new Set(items.map(({ status }) => status))).toEqual(new Set(['paid', 'void']))
  })

  it('state the paid period, which starts at the order or at the end of the previous period', async () => {
    const unlike = `select i.number from invoices i join invoice_lines l on l.invoice_id = i.id and l.starts_at is not null
      join licence_orders o on o.transaction_id = i.transaction_id join paid_periods p on p.order_id = o.id
      where l.starts_at <> case o.kind when 'upgrade' then p.starts_at else p.term_starts_at end
        or p.ended is null and l.ends_at <> p.ends_at`
    expect((await owner.query(unlike)).rows).toEqual([])
  })

  it('name the invoice that a credit note corrects by the number it bears', async () => {
    const notes = `select o.number = (s.notes -> 0 -> 'params' ->> 'number') as right_number from invoices i
      join invoices o on o.id = i.credit_note_of join invoice_snapshots s on s.invoice_id = i.id`
    const { rows } = await owner.query<{ right_number: boolean }>(notes)
    expect(rows.map(({ right_number }) => right_number)).toEqual([true, true, true, true])
  })

  it('B-14 one was issued again to her new address; she and staff find all three documents from each other', async () => {
    const { items } = (await hers.call(listInvoices, { query: { limit: '100' } })).body
    const read = async ({ id }: { id: string }) =>
      (await hers.call(getInvoice, { params: { publicId: id } })).body
    const [original, note, issued, ...others] = (await Promise.all(items.map(read)))
      .filter(({ replaces, replaced_by, notes }) => {
        return replaces || replaced_by || notes.some(({ code }) => code === 'reissued')
      })
      .toSorted((one, other) => (one.number < other.number ? -1 : 1))
    expect(others).toEqual([])
    const { id, number } = must(original)
    expect(original).toMatchObject({ status: 'void', to: { street: 'Gärtnerstraße 12' } })
    expect(note).toMatchObject({ cancels: true, credit_note_of: { id, number } })
    expect(issued).toMatchObject({
      to: { street: anna.address },
      total: must(original).total,
      replaces: { id, number },
    })
    const day = must(original).issued_at
    const date = new Date(day).toLocaleDateString('sv-SE', { timeZone: 'Europe/Berlin' })
    expect(issued?.notes).toContainEqual({ code: 'replaces', params: { number, date } })
    const staff = await signedIn(olivia)
    const { chain } = (await staff.call(getAnyInvoice, { params: { publicId: id } })).body
    const three = [original, note, issued].map((document) => must(document).number)
    expect(chain.map((document) => document.number)).toEqual(three)
    expect(chain.map(({ cancels }) => cancels)).toEqual([false, true, false])
    const audit = `select detail ->> 'invoice' as invoice, detail ->> 'credit_note' as note, detail ->> 'reissued' as issued,
      at < now() - interval '60 days' as is_past from audit where act = 'invoice.reissued'`
    expect((await owner.query(audit)).rows).toEqual([
      { invoice: three[0], note: three[1], issued: three[2], is_past: true },
    ])
  })
})

describe('the other customers', () => {
  it('have bought something in each of 24 months, and more in the second half of them, under every kind of VAT', async () => {
    const staff = await signedIn(olivia)
    const { first_month, rows } = (await staff.call(getRevenue, { query: {} })).body
    const months = Array.from({ length: 24 }, (_, place) => monthAfter(first_month, place))
    const sumOf = (month: string) =>
      rows.reduce((sum, row) => sum + (row.month === month ? BigInt(row.net.amount) : 0n), 0n)
    const sums = months.map(sumOf)
    // The present month may have just begun.
    for (const sum of sums.slice(0, -1)) expect(sum).toBeGreaterThan(0n)
    const [before, after] = [sums.slice(0, 12), sums.slice(12)].map((half) =>
      half.reduce((sum, net) => sum + net, 0n),
    )
    expect(must(after)).toBeGreaterThan(2n * must(before))
    expect(new Set(rows.map(({ vat_kind }) => vat_kind))).toEqual(
      new Set(vatKinds.filter((kind) => kind !== 'small_business')),
    )
  })

  it('leave closed months, in which they have prepaid more and more', async () => {
    const staff = await signedIn(olivia)
    const { months } = (await staff.call(getLiability, { query: {} })).body
    expect(months.length).toBeGreaterThan(21)
    expect(BigInt(must(months.at(-1)).owed.amount)).toBeGreaterThan(BigInt(must(months[0]).owed.amount))
  })

  it('have no password, so that nobody can sign in to their accounts', async () => {
    const { rows } = await owner.query<{ email: string }>(
      `select email from users u where is_example and not exists (select from passwords p where p.user_id = u.id)`,
    )
    expect(rows.map(({ email }) => email).toSorted()).toEqual(clientele.map(({ email }) => email).toSorted())
  })
})

describe('open tasks in the example data', () => {
  it('F-02: both vouchers can be redeemed', async () => {
    for (const code of redeemable) {
      const headers = { 'idempotency-key': code }
      expect((await his.call(redeemVoucher, { headers, body: { code } })).status).toBe(201)
    }
  })

  it('bank transfers wait for staff', async () => {
    const staff = await signedIn(olivia)
    const { items } = (await staff.call(listTopUps, { query: { status: 'pending', provider: 'bank' } })).body
    expect(items.map(({ customer }) => customer.email).toSorted()).toEqual([anna.email, mikhail.email])
  })

  it('nine payments of yesterday wait on a bank statement, each for another reason', async () => {
    const staff = await signedIn(olivia)
    const { items } = (await staff.call(listBankLines, { query: { state: 'open' } })).body
    expect(items.map(({ match, cause }) => cause ?? (match as string)).toSorted()).toEqual([
      'amount_differs',
      'exact',
      'known_payer',
      'near_reference',
      'paid_before',
      'return',
      'several_references',
      'unknown',
      'unknown',
    ])
    const booked = (await staff.call(listBankLines, { query: { state: 'booked' } })).body
    expect(new Set(booked.items.map(({ customer }) => customer?.email))).toEqual(
      new Set([anna.email, mikhail.email]),
    )
  })
})

it('B-02 the statement beside the demo can be imported, once: two by known payers, one return, and two that are no customer’s', async () => {
  const staff = await signedIn(olivia)
  const importIt = async () => {
    const form = new FormData()
    form.append('file', new Blob([readFileSync('app/seed/statement.camt053.xml')]), 'statement.xml')
    const headers = { authorization: `Bearer ${staff.access_token}` }
    const response = await fetch(`${staff.url}/api/staff/bank-files/`, {
      method: 'POST',
      headers,
      body: form,
    })
    return { status: response.status, body: (await response.json()) as BankImport }
  }
  const counts = { exact: 0, ambiguous: 3, unknown: 2, known: 0 }
  expect(await importIt()).toMatchObject({ status: 201, body: { counts } })
  expect((await importIt()).status).toBe(200)
})

it('an assistant has proposed two acts: one waits with all that it would do, one was refused', async () => {
  const { items } = (await hers.call(listProposals, {})).body
  expect(items.map(({ tool, status, token }) => ({ tool, status, token }))).toEqual([
    { tool: 'createTicket', status: 'proposed', token: 'Assistant' },
    { tool: 'updateHost', status: 'refused', token: 'Assistant' },
  ])
  expect(items[1]?.facts.map(({ name }) => name)).toEqual(['hostId', 'auto_renew'])
})

describe('the example server', () => {
  const host = async () => must((await hostsOf(hers)).find(({ name }) => name === connected.name))
  const run = () => demoAgent.run(app, undefined, '')

  it('has metrics of a day and is online, by the same API as any', async () => {
    const before = await host()
    expect(before).toMatchObject({ connected: true, address_mismatch: false })
    const { id: hostId } = before
    const { body } = await hers.call(getMetrics, { params: { hostId }, query: {} })
    expect(body.load_1m.filter((load) => load !== null).length).toBeGreaterThan(285)
    await run()
    expect(Date.parse((await host()).last_seen_at ?? '')).toBeGreaterThan(
      Date.parse(before.last_seen_at ?? ''),
    )
  })

  it('checks in no more once its token is renewed, as any', async () => {
    const { id: hostId } = await host()
    await hers.call(makeAgentToken, { params: { hostId } })
    const before = await host()
    await run()
    expect((await host()).last_seen_at).toBe(before.last_seen_at)
  })
})
