import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { plantTransactions } from '#bench/transaction-seed.ts'
import { checkLedger } from '#features/finance/server/finance.ts'
import { withConnection } from '#foundation/server/database/with-connection.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { startInstallation } from '#tests/faults/installation.ts'
import { startProduct, type Product } from '#tests/system/product-process.ts'

// The number of documents, and of top-ups; 500,000 by `npm run test:faults -- vat`.
const COUNT = Number(process.env['PAST_DOCUMENTS'] ?? 100_000)
const KILLS = 20

const installation = await startInstallation({ ROLE: 'web' })
const workers: Product[] = []
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.stop()))
  await installation.close()
})

async function startOne(): Promise<Product> {
  const { dataDir, settings } = installation
  const worker = await startProduct({ dataDir, settings: { ...settings, ROLE: 'worker', PORT: '0' } })
  workers.push(worker)
  return worker
}

const ask = <Row extends object>(statement: string, values: unknown[] = []) =>
  withConnection(
    installation.app.ownerUrl,
    async (client) => (await client.query<Row>(statement, values)).rows,
  )

const splitSoFar = async () =>
  Number(
    (await ask<{ count: string }>('select count(*) from transactions where splits is not null'))[0]?.count,
  )

/** Writes sales by SQL as a former release booked them, with the VAT in revenue: each has an invoice over 4.00 with 64 cents of VAT. */
async function plantPast(): Promise<void> {
  const { user_id } = await signedInCustomer(installation)
  // Half of these transactions are top-ups, and half are sales.
  await plantTransactions(installation.app.ownerUrl, [user_id], 2 * COUNT)
  await withConnection(installation.app.ownerUrl, async (client) => {
    await client.query('begin')
    await client.query('set local session_replication_role = replica')
    await client.query(`insert into invoice_counters values (2024, ${COUNT})`)
    await client.query(`
      insert into invoices (public_id, user_id, year, place, number, kind, transaction_id, issued_at, locale, currency, net, vat, total,
        vat_kind, vat_country, vat_rate_bp, keep_until)
      select substr(md5(t.id::text), 1, 22), t.user_id, 2024, row_number() over (), 'HD-2024-' || row_number() over (), 'invoice', t.id,
        t.created_at, 'de', 'EUR', 336, 64, 400, 'standard', 'DE', 1900, '2032-12-31'
      from transactions t where t.type = 'spend'`)
    await client.query('commit')
    await client.query('analyze')
  })
}

it(`rules 7 and 13: kill -9 of the worker ${KILLS} times while it splits the VAT of ${COUNT} documents of the past: each is split once, and no balance moves`, async () => {
  await plantPast()
  const balances = 'select account_id, balance, last_seq from balances order by account_id'
  const before = await ask(balances)
  const after: number[] = []
  let took_ms = 0
  for (let kill = 0; kill < KILLS; kill += 1) {
    const worker = await startOne()
    const start = await splitSoFar()
    const begun = performance.now()
    const deadline = Date.now() + 20_000
    while ((await splitSoFar()) === start && start < COUNT && Date.now() < deadline) await sleep(5)
    await sleep(Math.random() * 300)
    took_ms += performance.now() - begun
    process.kill(worker.pid, 'SIGKILL')
    after.push(await splitSoFar())
  }
  await startOne()
  const begun = performance.now()
  await expect.poll(splitSoFar, { timeout: 600_000, interval: 200 }).toBe(COUNT)
  took_ms += performance.now() - begun
  process.stdout.write(
    `  ${COUNT} documents in ${Math.round(took_ms / 1000)} s; after each kill: ${after.join(', ')}\n`,
  )
  expect(after[0]).toBeLessThan(COUNT)
  expect(took_ms).toBeLessThan(600_000)
  expect(await ask(balances)).toEqual(before)
  const [booked] =
    await ask(`select sum(e.amount)::text as vat, count(*)::int as sides, count(distinct t.splits_document)::int as documents
    from entries e join ledger_accounts a on a.id = e.account_id join transactions t on t.id = e.transaction_id
    where a.kind = 'vat' and a.name = 'DE'`)
  expect(booked).toEqual({ vat: String(64 * COUNT), sides: COUNT, documents: COUNT })
  expect(await checkLedger(installation.app.ownerUrl)).toMatchObject({ unsplit: '0', damages: [] })
}, 3_600_000)
