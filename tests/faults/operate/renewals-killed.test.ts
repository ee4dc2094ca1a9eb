import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { checkLedger } from '#features/finance/server/finance.ts'
import { withConnection } from '#foundation/server/database/with-connection.ts'
import { stockShop } from '#tests/harness/shop.ts'
import { startInstallation } from '#tests/faults/installation.ts'
import { startProduct, type Product } from '#tests/system/product-process.ts'
import { makeDue, plantRenewals } from './plant-renewals.ts'

const RENEWALS = 2_000
const KILLS = 6

const installation = await startInstallation({ ROLE: 'web' })
const workers: Product[] = []
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.stop()))
  await installation.close()
})
await stockShop(installation)

async function startOne(): Promise<Product> {
  const { dataDir, settings } = installation
  const worker = await startProduct({ dataDir, settings: { ...settings, ROLE: 'worker', PORT: '0' } })
  workers.push(worker)
  return worker
}

const ask = <Row extends object>(statement: string) =>
  withConnection(installation.app.ownerUrl, async (client) => (await client.query<Row>(statement)).rows)

const renewed = async () =>
  Number(
    (await ask<{ count: string }>(`select count(*) from licence_orders where kind = 'auto_renewal'`))[0]
      ?.count,
  )

it(`rules 8, 13, 31: kill -9 of the worker ${KILLS} times under ${RENEWALS} renewals that are done in batches: each is done once, the books are whole`, async () => {
  await plantRenewals(installation.app.ownerUrl, RENEWALS)
  await makeDue(installation.app.ownerUrl)
  const after: number[] = []
  for (let kill = 0; kill < KILLS; kill += 1) {
    const worker = await startOne()
    const before = await renewed()
    const deadline = Date.now() + 20_000
    while ((await renewed()) === before && Date.now() < deadline) await sleep(5)
    await sleep(Math.random() * 300)
    process.kill(worker.pid, 'SIGKILL')
    after.push(await renewed())
  }
  await startOne()
  await expect.poll(renewed, { timeout: 300_000, interval: 500 }).toBe(RENEWALS)
  await expect
    .poll(() => ask(`select from jobs where name = 'look_at_licence' and run_at < now()`), {
      timeout: 60_000,
    })
    .toEqual([])
  process.stdout.write(`  renewals after each kill: ${after.join(', ')}, in the end ${await renewed()}\n`)
  expect(after[0]).toBeLessThan(RENEWALS)
  const [counts] = await ask(`select
    (select count(*)::int from invoices) as invoices, (select max(place)::int from invoices) as last_number,
    (select count(*)::int from transactions where type = 'inner_spending') as charges,
    (select count(*)::int from transaction_documents) as documents,
    (select count(*)::int from hosts h where 2 <> (select count(*) from paid_periods where host_id = h.id)) as other_periods,
    (select count(*)::int from hosts h where paid_until <> (select max(ends_at) from paid_periods where host_id = h.id)) as other_ends,
    (select count(*)::int from hosts h where 2 <> (select count(*) from licensed_addresses where host_id = h.id)) as other_claims,
    (select count(*)::int from balances where balance <> 100000 - 4 * 2368) as other_balances`)
  expect(counts).toEqual({
    invoices: RENEWALS,
    last_number: RENEWALS,
    charges: RENEWALS,
    documents: RENEWALS,
    other_periods: 0,
    other_ends: 0,
    other_claims: 0,
    other_balances: 0,
  })
  expect((await checkLedger(installation.app.ownerUrl)).damages).toEqual([])
})
