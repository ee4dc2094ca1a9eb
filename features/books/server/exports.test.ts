import { createHash, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { unzipSync } from 'fflate'
import fc from 'fast-check'
import iconv from 'iconv-lite'
import { afterAll, describe, expect, it } from 'vitest'
import * as contract from '#features/books/contract.ts'
import { bookRefund } from '#features/sales/server/book-refund.ts'
import { reissueInvoice } from '#features/invoices/contract.ts'
import { updateProfile } from '#features/profile/contract.ts'
import { decideVat } from '#features/invoices/server/vat.ts'
import { must } from '#foundation/must.ts'
import type { Role } from '#foundation/roles.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { runMeasured } from '#foundation/server/jobs/run-measured.ts'
import { signedInStaff, signedInCustomer } from '#tests/harness/customer.ts'
import { bodyOf, refusal } from '#tests/harness/hosts.ts'
import { addMoney, move, payFrom } from '#tests/harness/money.ts'
import { sell } from '#tests/harness/sale.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import type { Refused } from '#tests/harness/upload.ts'
import { contentOf } from './exports/content.ts'
import { makeExport, removeOldExports } from './exports/make.ts'
import { jobs } from './feature.ts'
import { ossReturn, salesList } from './exports/vat-returns.ts'

// This command takes 100,000 steps: LEDGER_STEPS=100000 vitest run --project server features/books/server/exports.test.ts
const STEPS = Number(process.env['LEDGER_STEPS'] ?? 60)

const test = await startTestApp({ settings: { DATEV: '1001/7', COMPANY_TIME_ZONE: 'Europe/Berlin' } })
const { app } = test
const superuser = await superuserOf(test)
afterAll(() => superuser.end())

const memberWith = (...roles: Role[]) => signedInStaff(test, { roles })
const billing = await memberWith('billing')
const customer = await signedInCustomer(test)
const { user_id } = customer

const today = new Date().toLocaleDateString('sv-SE', { timeZone: 'Europe/Berlin' })
const month = today.slice(0, 7)
const wholeMonth = {
  from: `${month}-01`,
  to: new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).toISOString().slice(0, 10),
}

const ask = (body: { kind: contract.BookExport['kind']; from: string; to: string }, by = billing) =>
  by.api.call(contract.askForExport, { body })
const list = async () => bodyOf(await billing.api.call(contract.listExports, { query: {} }), 200).items
const fileOf = (id: string, by = billing) =>
  fetch(`${test.url}/api/staff/books/exports/${id}/file`, {
    headers: { authorization: `Bearer ${by.api.access_token}` },
  })

/** Asks for a file, makes it as the job does, and fetches it. */
async function made(
  kind: contract.BookExport['kind'],
  span: { from: string; to: string } = wholeMonth,
  by = billing,
) {
  const { id } = bodyOf(await ask({ kind, ...span }, by), 202)
  await makeExport(app, { id })
  const row = must((await list()).find((one) => one.id === id))
  const answer = await fileOf(id, by)
  expect(answer.status).toBe(200)
  const bytes = Buffer.from(await answer.arrayBuffer())
  expect(row).toMatchObject({ state: 'ready', bytes: bytes.length, failure: null })
  expect(row.sha256).toBe(createHash('sha256').update(bytes).digest('hex'))
  return { row, bytes }
}

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8').replace('\uFEFF', '')
const linesOf = (text: string) => text.trimEnd().split('\r\n')

const buyerIn = (country: string) => ({
  name: 'Anna',
  company: '',
  street: 'Am Markt 1',
  apartment: '',
  zip: '20095',
  city: 'Hamburg',
  state: '',
  country,
  vat_id: '',
})

describe('exports of the books', () => {
  it('an export whose job fails 6 times is marked as failed and can be requested again; after a day without result it fails, too', async () => {
    // The disk stores nothing, because the folder for unfinished files cannot exist.
    const broken = { ...app, storage: { ...app.storage, incoming: '/dev/null/nowhere' } }
    const span = { from: '2024-01-01', to: '2024-01-31' }
    const { id } = bodyOf(await ask({ kind: 'invoices', ...span }), 202)
    const stateOf = async (which: string) => must((await list()).find((one) => one.id === which))
    const make = must(jobs.find(({ name }) => name === 'make_book_export'))
    const taken = { id: '1', name: make.name, class: 'heavy' as const, payload: { id }, max_attempts: 6 }
    await runMeasured(broken, make, { ...taken, attempts: 5 }, 'test')
    expect(await stateOf(id)).toMatchObject({ state: 'waiting', failure: null })
    await runMeasured(broken, make, { ...taken, attempts: 6 }, 'test')
    expect(await stateOf(id)).toMatchObject({ state: 'failed', failure: 'gave_up' })

    const again = bodyOf(await ask({ kind: 'invoices', ...span }), 202)
    expect(again.id).not.toBe(id)
    expect(
      await runMeasured(app, make, { ...taken, payload: { id: again.id }, attempts: 1 }, 'test'),
    ).toBeUndefined()
    expect(await stateOf(again.id)).toMatchObject({ state: 'ready' })

    // An export whose process dies each time stays `waiting`: the clean-up marks it as failed after a day.
    const silent = bodyOf(await ask({ kind: 'invoices', from: '2024-02-01', to: '2024-02-29' }), 202)
    await removeOldExports(app)
    expect(await stateOf(silent.id)).toMatchObject({ state: 'waiting' })
    await superuser.query(`update book_exports set created_at = now() - interval '25 hours' where id = $1`, [
      silent.id,
    ])
    await removeOldExports(app)
    expect(await stateOf(silent.id)).toMatchObject({ state: 'failed', failure: 'gave_up' })
  })

  it('B-08 hold each sale, payment and gift of the month once, and come to what the ledger holds', async () => {
    const rates = [
      ['DE', 1900n, 'standard'],
      ['FI', 2550n, 'oss'],
      ['GR', 2400n, 'oss'],
      ['LV', 0n, 'reverse_charge'],
      ['US', 0n, 'outside_eu'],
    ] as const
    const usual = decideVat(app.config.company, { country: '', vat_id: '' }, new Date())
    const sales: { id: string; left: bigint }[] = []
    const payments: string[] = []
    // One sale is paid by a gift in part, whatever the steps below come to.
    const sorry = { code: 'credit', params: { reason: 'sorry' } } as const
    await move(app, { type: 'fill_balance_voucher', user_id, amount: 100n, description: sorry })
    await addMoney(app, user_id, 2000n)
    await sell(app, { user_id, nets: [1000n], vat: usual })
    const step = fc.record({
      does: fc.constantFrom('sell', 'sell', 'refund', 'charge back', 'give', 'reissue', 'reissue'),
      rate: fc.nat(rates.length - 1),
      net: fc.bigInt(1n, 9_999_99n),
      which: fc.nat(1000),
      part: fc.bigInt(1n, 100n),
    })
    // `required`: a reissue that keeps the reverse charge needs a VAT id, which these buyers lack.
    const refusals = ['nothing_left', 'total_would_rise', 'required']
    for (const { does, rate, net, which, part } of fc.sample(step, STEPS)) {
      const sale = sales[which % Math.max(1, sales.length)]
      const payment = payments[which % Math.max(1, payments.length)]
      if (does === 'sell') {
        const [country, rate_bp, kind] = must(rates[rate])
        payments.push((await addMoney(app, user_id, net * 2n)).transaction_id)
        const vat = { ...usual, country, rate_bp, kind }
        const { transaction_id, total } = await sell(app, { user_id, nets: [net], vat })
        sales.push({ id: transaction_id, left: total })
      } else if (does === 'give') {
        await move(app, { type: 'fill_balance_voucher', user_id, amount: net, description: sorry })
      } else if (does === 'charge back') {
        if (payment === undefined) continue
        const description = { code: 'charge_back', params: { provider: 'test' } } as const
        const back = { type: 'charge_back', user_id, amount: 1n, description, provider: 'test' } as const
        await move(app, { ...back, reverses: payment }).catch(() => {})
      } else if (does === 'reissue') {
        const { rows: invoices } = await superuser.query<{ public_id: string }>(
          "select public_id from invoices where transaction_id = $1 and kind = 'invoice' order by version desc limit 1",
          [sale?.id ?? null],
        )
        if (!sale || sale.left === 0n) continue
        const answer = await billing.api.call(reissueInvoice, {
          params: { publicId: must(invoices[0]).public_id },
          headers: { 'idempotency-key': randomUUID() },
          body: {
            buyer: buyerIn(part % 2n === 0n ? 'US' : 'DE'),
            vat: part % 3n === 0n ? 'keep' : 'decide',
            reason: 'x',
          },
        })
        if (answer.status === 201) sale.left = BigInt(answer.body.invoice.total.amount)
        else expect(refusals).toContain((answer.body as unknown as Refused).errors[0]?.code)
      } else if (sale && sale.left > 0n) {
        const amount = (sale.left * part) / 100n || sale.left
        const refund = { user_id, transaction_id: sale.id, amount, reason: 'said so' }
        await transaction(app, 'system', (tx) => bookRefund(app, tx, refund))
        sale.left -= amount
      }
    }
    const { row, bytes } = await made('datev')
    expect(row).toMatchObject({ agrees: true, name: `datev-${month}.zip` })
    const files = unzipSync(bytes)
    expect(Object.keys(files)).toEqual([`EXTF_Buchungsstapel_${month}.csv`, `control-${month}.csv`])
    const lines = linesOf(
      iconv.decode(Buffer.from(must(files[`EXTF_Buchungsstapel_${month}.csv`])), 'windows-1252'),
    )
    expect(lines[0]).toContain(';1001;7;')
    // A document that gifts have lowered has a posting for its money and one for its gift, with one number.
    const { rows } = await superuser.query<Record<'documents' | 'gifts' | 'both' | 'movements', string>>(`
      select (select count(*) from invoices where total <> 0) as documents, (select count(*) from invoices where gift <> 0) as gifts,
        (select count(*) from invoices where total <> 0 and gift <> 0) as both, (select count(*) from transactions t join transaction_types r using (type) where r.counterpart <> 'revenue') as movements`)
    const expected = Number(rows[0]?.documents) + Number(rows[0]?.gifts) + Number(rows[0]?.movements)
    expect(Number(rows[0]?.both)).toBeGreaterThan(0)
    expect(lines.length - 2).toBe(expected)
    expect(row.rows).toBe(expected)
    // The postings to the account for prepaid money add up to the customers' balances.
    const prepaid = lines.slice(2).reduce((sum, line) => {
      const [amount = '', side] = line.split(';')
      const minor = BigInt(amount.replace(',', ''))
      return side === '"H"' ? sum + minor : sum - minor
    }, 0n)
    const balances = await superuser.query<{ sum: string }>('select sum(balance) from balances')
    expect(String(prepaid)).toBe(balances.rows[0]?.sum)
    expect(new Set(lines.slice(2).map((line) => line.split(';')[10])).size).toBe(
      expected - Number(rows[0]?.both),
    )
  })

  it('B-08 says so where the ledger holds something else', async () => {
    const { rows } = await superuser.query<{ transaction_id: string }>(
      'select transaction_id from entries where is_vat order by amount desc limit 1',
    )
    const falsify = async (by: number) => {
      await superuser.query('begin')
      await superuser.query('set local session_replication_role = replica')
      await superuser.query('update entries set amount = amount + $2 where is_vat and transaction_id = $1', [
        must(rows[0]).transaction_id,
        by,
      ])
      await superuser.query('commit')
    }
    await falsify(-1)
    const { row, bytes } = await made('datev')
    expect(row.agrees).toBe(false)
    expect(textOf(must(unzipSync(bytes)[`control-${month}.csv`]))).toMatch(/,0\.01|,-0\.01/)
    await falsify(1)
  })

  it('B-09 list invoices and transactions, and no cell begins a formula', async () => {
    const invoices = linesOf(textOf((await made('invoices')).bytes))
    const transactions = linesOf(textOf((await made('transactions')).bytes))
    const { rows } = await superuser.query<{ invoices: string; transactions: string }>(
      'select (select count(*) from invoices) as invoices, (select count(*) from transactions where splits is null) as transactions',
    )
    expect(invoices.length - 1).toBe(Number(rows[0]?.invoices))
    expect(transactions.length - 1).toBe(Number(rows[0]?.transactions))
    for (const line of [...invoices, ...transactions])
      for (const cell of line.split(',')) expect(cell).toMatch(/^(?:[^=+@\t]|$)/)
  })

  it('B-09 hold every document in a folder of its month, with a list', async () => {
    const { rows } = await superuser.query<{ number: string }>(
      'select number from invoices order by id limit 2',
    )
    await superuser.query('begin')
    await superuser.query('set local session_replication_role = replica')
    await superuser.query("update invoices set issued_at = '2025-03-31T21:59:59Z' where number = any($1)", [
      rows.map(({ number }) => number),
    ])
    await superuser.query('commit')
    const { bytes, row } = await made('documents', { from: '2025-03-31', to: '2025-04-30' })
    expect(row.rows).toBe(2)
    const files = unzipSync(bytes)
    const names = rows.map(({ number }) => `2025/03/${number}.pdf`)
    expect(Object.keys(files).filter((name) => name.endsWith('.pdf'))).toEqual(names)
    for (const name of names) expect(textOf(must(files[name]).subarray(0, 5))).toBe('%PDF-')
    const index = linesOf(textOf(must(files['index.csv'])))
    expect(index.length).toBe(3)
    expect(index[1]).toContain(`${rows[0]?.number},`)
    expect(index[1]).toContain(names[0])
  })

  it('B-09 show the audit to those alone who may read it, and are audited themselves', async () => {
    expect((await ask({ kind: 'audit', from: today, to: today })).body).toMatchObject(
      refusal(403, 'not_allowed'),
    )
    const admin = await memberWith('admin')
    const { row, bytes } = await made('audit', { from: today, to: today }, admin)
    expect(textOf(bytes)).toContain('books.exported')
    expect((await fileOf(row.id)).status).toBe(403)
    const { rows } = await superuser.query('select 1 from audit where act = $1', ['books.fetched'])
    expect(rows.length).toBeGreaterThan(0)
  })

  it('B-09 are refused for a span that does not suit their kind (DATEV: whole months, VAT: a quarter), and to support', async () => {
    const refused = [
      ['datev', '2026-01-02', '2026-01-31', 'from'],
      ['datev', '2026-01-01', '2026-01-30', 'to'],
      ['vat', '2026-01-01', '2026-02-28', 'to'],
      ['invoices', '2026-02-01', '2026-01-31', 'to'],
      ['invoices', '2026-02-30', '2026-03-31', 'from'],
      ['documents', '2020-01-01', '2022-01-01', 'to'],
    ] as const
    for (const [kind, from, to, at] of refused)
      expect((await ask({ kind, from, to })).body, `${kind} ${from} ${to}`).toMatchObject(
        refusal(400, 'invalid', at),
      )
    const support = await memberWith('support')
    expect((await ask({ kind: 'invoices', ...wholeMonth }, support)).status).toBe(403)
  })

  it('B-10 are made once, complete after a process died, and removed after a week', async () => {
    const asked = await Promise.all([1, 2, 3].map(() => ask({ kind: 'invoices', from: today, to: today })))
    const ids = new Set(asked.map((answer) => bodyOf(answer, 202).id))
    expect(ids.size).toBe(1)
    const [id = ''] = ids
    expect((await fileOf(id)).status).toBe(409)
    // A process that dies after it stored the file leaves a file that no row names.
    const { keep } = app.storage
    const dying = {
      ...app,
      storage: Object.create(app.storage, {
        keep: {
          value: async (key: string, from: string) => {
            await keep.call(app.storage, key, from)
            throw new Error('killed')
          },
        },
      }) as typeof app.storage,
    }
    await expect(makeExport(dying, { id })).rejects.toThrow('killed')
    await Promise.all([makeExport(app, { id }), makeExport(app, { id })])
    await makeExport(app, { id })
    expect((await fileOf(id)).status).toBe(200)
    const row = must((await list()).find((one) => one.id === id))
    await superuser.query("update book_exports set expires_at = now() - interval '1 second' where id = $1", [
      id,
    ])
    await removeOldExports(app)
    expect((await fileOf(id)).status).toBe(404)
    const left = must((await list()).find((one) => one.id === id))
    expect(left).toMatchObject({ state: 'removed', sha256: row.sha256, rows: row.rows })
  })
})

it('B-09 the VAT export of a quarter holds files for the tax portals, without rows that are not declared there', async () => {
  const { row, bytes } = await made('vat', { from: '2025-01-01', to: '2025-03-31' })
  expect(row.name).toBe('vat-2025-Q1.zip')
  expect(Object.keys(unzipSync(bytes))).toEqual([
    'vat-2025-Q1.csv',
    'oss-2025-Q1.csv',
    'ec-sales-list-2025-Q1.csv',
  ])
  const eur = (amount: string) => ({ amount, currency: 'EUR' })
  const sum = {
    vat_kind: 'oss' as const,
    country: 'GR',
    vat_rate: '25.5',
    vat_id: '',
    corrected_quarter: null,
    documents: 1,
    net: eur('10000'),
    vat: eur('2550'),
  }
  const business = { ...sum, vat_kind: 'reverse_charge' as const, vat_id: 'LV40003000000', net: eur('10050') }
  const sales = [sum, { ...sum, net: eur('0'), vat: eur('0') }, business]
  expect(linesOf(ossReturn({ sales }))).toEqual(['#v2.0', '1,EL,STANDARD,25.50,100.00,25.50'])
  const corrections = [{ ...business, corrected_quarter: '2024-Q4', net: eur('-20000') }]
  expect(linesOf(salesList({ sales, corrections }))).toEqual([
    '#v3.0',
    'USt-IdNr.,Betrag (EUR),Art der Leistung',
    'LV40003000000,-100,S',
  ])
  expect(linesOf(salesList({ sales, corrections: [] })).at(-1)).toBe('LV40003000000,101,S')
})

it('B-11 staff find the transactions of all customers by customer, type, day and id, newest first', async () => {
  const list = async (query: object) =>
    bodyOf(await billing.api.call(contract.listAllTransactions, { query }), 200)
  const walk = async (sort: string, cursor?: string): Promise<string[]> => {
    const page = await list({ limit: '7', sort, ...(cursor ? { cursor } : {}) })
    const ids = page.items.map(({ id }) => id)
    return page.next_cursor === null ? ids : [...ids, ...(await walk(sort, page.next_cursor))]
  }
  const all = await walk('newest')
  const { rows } = await superuser.query<{ id: string }>(
    'select id from transactions where splits is null order by created_at desc, id desc',
  )
  expect(all).toEqual(rows.map(({ id }) => id))
  expect(await walk('oldest')).toEqual(all.toReversed())
  const [newest] = (await list({ type: 'spend' })).items
  expect(newest).toMatchObject({ type: 'spend', customer: { id: user_id } })
  expect((await list({ q: newest?.id ?? '' })).items.map(({ id }) => id)).toEqual([newest?.id])
  expect((await list({ q: user_id, limit: '100' })).items.length).toBe(Math.min(100, all.length))
  const stranger = await signedInCustomer(test)
  expect((await list({ q: stranger.user_id })).items).toEqual([])
  expect((await list({ from: today, to: today, limit: '100' })).items.length).toBe(Math.min(100, all.length))
  expect((await list({ to: '2020-01-01' })).items).toEqual([])
  const wrong = { from: '2026-02-01', to: '2026-01-01' }
  expect((await billing.api.call(contract.listAllTransactions, { query: wrong })).body).toMatchObject(
    refusal(400, 'invalid', 'to'),
  )
})

it('B-11 the filter by day includes the last hour of a day of 25 hours, when the clocks go back', async () => {
  const { rows } = await superuser.query<{ id: string; created_at: Date }>(
    'select id, created_at from transactions limit 1',
  )
  const { id, created_at } = must(rows[0])
  const moveTo = async (at: Date) => {
    await superuser.query('begin')
    await superuser.query('set local session_replication_role = replica')
    await superuser.query('update transactions set created_at = $2 where id = $1', [id, at])
    await superuser.query('commit')
  }
  const on = async (day: string) =>
    bodyOf(await billing.api.call(contract.listAllTransactions, { query: { from: day, to: day } }), 200).items
  // Half past eleven in the evening in Berlin, on the day on which the clock was put back.
  await moveTo(new Date('2026-10-25T22:30:00Z'))
  expect([(await on('2026-10-25')).length, (await on('2026-10-26')).length]).toEqual([1, 0])
  await moveTo(created_at)
})

it('a file is read in pieces', async () => {
  const wanted = {
    kind: 'invoices',
    first_day: today,
    last_day: today,
    locale: 'en',
    created_at: new Date(),
  } as const
  const pieces = await Readable.from(contentOf(app, wanted).content).toArray()
  expect(pieces.length).toBeGreaterThan(1)
})

it('B-09 the list of invoices says where each buyer is and by what evidence, of a credit note what its invoice says', async () => {
  const swiss = async (ip: string, paidFrom: string) => {
    const buyer = await signedInCustomer(test, { ip })
    const body = { name: 'Ada', country: 'CH', zip: '8001', city: 'Zug' }
    bodyOf(await buyer.api.call(updateProfile, { body }), 200)
    await payFrom(app, buyer.user_id, paidFrom, 50_00n)
    return { user_id: buyer.user_id, ...(await sell(app, { user_id: buyer.user_id, nets: [10_00n] })) }
  }
  const [doubted, agreed] = [await swiss('91.0.0.1', 'DE'), await swiss('85.0.0.1', 'CH')]
  const refund = { user_id: doubted.user_id, transaction_id: doubted.transaction_id, amount: doubted.total }
  await transaction(app, 'system', (tx) => bookRefund(app, tx, { ...refund, reason: 'said so' }))
  const { rows } = await superuser.query<{ number: string }>(
    'select number from invoices where user_id = any($1) order by user_id = $2, id',
    [[doubted.user_id, agreed.user_id], agreed.user_id],
  )
  const [headings = '', ...lines] = linesOf(textOf((await made('invoices')).bytes))
  expect(headings).toMatch(/,Place and evidence$/)
  const lastCellOf = (number: string) =>
    lines
      .find((line) => line.startsWith(`${number},`))
      ?.split(',')
      .at(-1)
  const said = 'CH; payments: DE; network: DE; doubted: DE'
  expect(rows.map(({ number }) => lastCellOf(number))).toEqual([
    said,
    said,
    'CH; payments: CH; network: CH; payment',
  ])
})
