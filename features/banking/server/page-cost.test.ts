import { afterAll, expect, it } from 'vitest'
import { listBankLines } from '#features/banking/contract.ts'
import { must } from '#foundation/must.ts'
import { finds } from '#foundation/search-text.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { signedInCustomer, signedInStaff } from '#tests/harness/customer.ts'
import { bodyOf } from '#tests/harness/hosts.ts'
import { touchedRows } from '#tests/harness/scans.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { listLines, type Wanted } from './list-queries.ts'
import { payersOf } from './queries.ts'

const LINES = 6000
const LIMIT = 26

const test = await startTestApp()
const staff = await signedInStaff(test)
const { user_id } = await signedInCustomer(test)
const admin = await superuserOf(test)
afterAll(() => admin.end())

// One account, as of a collection agency, made half of the payments. Each thirtieth payment is open, and twenty payments share a name.
await admin.query('begin')
await admin.query('set local session_replication_role = replica')
await admin.query(
  `with file as (
     insert into bank_files (sha256, account_iban, statement_id, currency, kind)
     values (sha256('S-1'::bytea), 'DE02120300000000202051', 'S-1', 'EUR', 'camt.053') returning id)
   insert into bank_lines (file_id, account_iban, booked_on, amount, currency, name, iban, text, end_to_end, key, nth, match, state, user_id, place)
   select file.id, 'DE02120300000000202051', date '2025-01-01' + n / 20, 100 + n, 'EUR', 'Payer Nr ' || n % 300 || case n % 2 when 0 then ' ÄRZTE' else '' end,
     case n % 2 when 0 then 'DE75512108001245126199' else 'DE' || lpad(n::text, 20, '0') end, 'Rechnung 100%_' || n, '',
     sha256(n::text::bytea), 0, (array['exact', 'unknown'])[1 + n % 2], case when n % 30 = 0 then 'open' when n % 7 = 0 then 'ignored' else 'booked' end,
     case when n % 30 > 0 then $1::uuid end, n
   from file, generate_series(1, ${LINES}) n`,
  [user_id],
)
await admin.query('commit')
await admin.query('vacuum analyze bank_lines')

const asked: (Pick<Wanted, 'state'> & { q: string })[] = [
  'Rechnung',
  'rechnung 100%_4721',
  'PAYER NR 17 ',
  'ärzte',
  'AERZTE 17',
  'de75 5121 0800 1245 1261 99',
  'Nr 29',
  '0%_59',
  '99',
  '7',
  '_',
  ' ',
  'DE75512108001245126199',
  '000004721 Rech',
  'nobody',
  'x',
].flatMap((q) => (['open', 'booked', 'ignored'] as const).map((state) => ({ state, q })))

it.each(asked)(
  'finds what every line holds, in any order and spelling, page by page: $q, $state',
  async ({ state, q }) => {
    const { rows } = await admin.query<{ id: string; written: string }>(
      `select id, name || ' ' || iban || ' ' || text as written from bank_lines where state = $1 order by booked_on desc, id desc`,
      [state],
    )
    const wanted = rows.filter(({ written }) => finds(q, written)).slice(0, 2 * LIMIT)
    const first = await listLines(test.app.db, { state, q, limit: LIMIT })
    const last = first.at(-1)
    const after = last && { place: last.at, id: last.id }
    const second = after ? await listLines(test.app.db, { state, q, after, limit: LIMIT }) : []
    expect([...first, ...second].map(({ id }) => id)).toEqual(wanted.map(({ id }) => id))
  },
)

// This test failed while a search read all payments of the given state.
it('a rare word among the booked ones is found without reading them', async () => {
  const wanted: Wanted = { state: 'booked', q: 'Rechnung 100%_4721', limit: LIMIT }
  const { rows, read } = await costOf((tx) => listLines(tx, wanted))
  expect(rows).toBe(1)
  expect(read).toBeLessThanOrEqual(LINES / 20)
})

it('a frequent word is found by the newest payments, which are read no further than a page', async () => {
  const { rows, read } = await costOf((tx) => listLines(tx, { state: 'booked', q: 'rechnung', limit: LIMIT }))
  expect(rows).toBe(LIMIT)
  expect(read).toBeLessThanOrEqual(3 * LIMIT)
})

it.each(['highest', 'lowest'] as const)(
  'payments by amount, %s first, are read no further than a page, and go on behind it',
  async (sort) => {
    const wanted: Wanted = { state: 'booked', sort, limit: LIMIT }
    const { rows } = await admin.query<{ id: string }>(
      `select id from bank_lines where state = 'booked' order by amount ${sort === 'highest' ? 'desc' : ''} limit ${2 * LIMIT}`,
    )
    const first = await listLines(test.app.db, wanted)
    const last = must(first.at(-1))
    const after = { place: last.at, id: last.id }
    const second = await costOf((tx) => listLines(tx, { ...wanted, after }))
    expect(second.read).toBeLessThanOrEqual(3 * LIMIT)
    const behind = await listLines(test.app.db, { ...wanted, after })
    expect([...first, ...behind].map(({ id }) => id)).toEqual(rows.map(({ id }) => id))
  },
)

// This test failed while the query sorted all payments of an account to find the latest.
it('the payer behind an account is one row, however many payments came from it', async () => {
  const { read } = await costOf(async (tx) => {
    const payers = await payersOf(tx, ['DE75512108001245126199', '', 'unknown'])
    expect([...payers]).toEqual([['DE75512108001245126199', user_id]])
    return [...payers]
  })
  expect(read).toBeLessThanOrEqual(3)
})

it('the counts beside the list are those of all open payments', async () => {
  const ask = () => staff.api.call(listBankLines, { query: { state: 'ignored', q: 'Nr 7 ' } })
  const replies = await Promise.all(Array.from({ length: 10 }, ask))
  for (const reply of replies)
    expect(bodyOf(reply, 200).open).toEqual({ exact: LINES / 30, ambiguous: 0, unknown: 0 })
})

/** Counts the rows that a query returns (`rows`), and the rows of sequential scans and index entries that it touches (`read`). */
async function costOf(
  read: (tx: Tx) => Promise<readonly unknown[]>,
): Promise<{ rows: number; read: number }> {
  return transaction(test.app, 'system', async (tx) => {
    const before = await touchedRows(tx, 'bank_lines')
    const rows = await read(tx)
    return { rows: rows.length, read: (await touchedRows(tx, 'bank_lines')) - before }
  })
}
