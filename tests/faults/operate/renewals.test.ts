import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, expect, it } from 'vitest'
import * as auth from '#features/auth/contract.ts'
import { checkLedger } from '#features/finance/server/finance.ts'
import { Client } from '#tests/harness/client.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { stockShop } from '#tests/harness/shop.ts'
import { startInstallation } from '#tests/faults/installation.ts'
import { startProduct } from '#tests/system/product-process.ts'
import { percentile } from '#tools/figures/table.ts'
import { startMailCounter } from './mail-counter.ts'
import { makeDue, plantRenewals } from './plant-renewals.ts'

const RENEWALS = Number(process.env['RENEWALS'] ?? 20_000)
const RESET_EVERY_MS = 2_000
/** The test watches the renewals for this long; on two free cores most of them are done by then. */
const LONGEST_S = Number(process.env['RENEWALS_S'] ?? 300)
/** The number of further processes, which only do jobs. */
const WORKERS = Number(process.env['WORKERS'] ?? 1)

const mails = await startMailCounter()
const installation = await startInstallation({ SMTP_URL: mails.url, ROLE: 'web' })
const started = await Promise.all(
  Array.from({ length: WORKERS }, () =>
    startProduct({
      dataDir: installation.dataDir,
      settings: { ...installation.settings, ROLE: 'worker', PORT: '0' },
    }),
  ),
)
afterAll(async () => {
  await Promise.all(started.map((worker) => worker.stop()))
  await installation.close()
  await mails.close()
})
await stockShop(installation)

it(`rule 48: ${RENEWALS} renewals due at once hold up no password reset`, async () => {
  const { ownerUrl } = installation.app
  await plantRenewals(ownerUrl, RENEWALS)
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  const renewed = async () =>
    Number(
      (
        await owner.query<{ count: string }>(
          `select count(*) from licence_orders where kind = 'auto_renewal'`,
        )
      ).rows[0]?.count,
    )
  const people = await Promise.all(Array.from({ length: 20 }, () => signedInCustomer(installation)))
  const begun = performance.now()
  await makeDue(ownerUrl)
  const waits_ms: number[] = []
  let [done, turn] = [0, 0]
  while (done < RENEWALS) {
    const email = people[turn++ % people.length]?.email ?? ''
    waits_ms.push(await resetTakes(email))
    await sleep(RESET_EVERY_MS)
    done = await renewed()
    if (performance.now() - begun > LONGEST_S * 1000) break
  }
  const took_s = (performance.now() - begun) / 1000
  const left = await owner.query<{ name: string; count: string }>(
    'select name, count(*) from jobs where run_at < now() group by name order by 2 desc',
  )
  await owner.end()
  const { damages } = await checkLedger(ownerUrl)
  process.stdout.write(
    `  ${done} renewals in ${took_s.toFixed(0)} s, ${(done / took_s).toFixed(0)} a second by ${WORKERS} worker(s); ` +
      `${waits_ms.length} resets at the mail server after ${percentile(waits_ms, 50).toFixed(0)} ms in the middle, ` +
      `${percentile(waits_ms, 99).toFixed(0)} ms at p99; ${mails.count()} mails; ` +
      `left: ${left.rows.map(({ name, count }) => `${count} ${name}`).join(', ')}\n`,
  )
  expect(done).toBeGreaterThan(0)
  expect(damages).toEqual([])
  expect(percentile(waits_ms, 99)).toBeLessThanOrEqual(5000)
})

/** Returns the time from the request to the mail at the server, in ms. */
async function resetTakes(email: string): Promise<number> {
  const asked = performance.now()
  const mail = mails.next(email, 120_000)
  const reply = await new Client(installation.url).call(auth.requestReset, { body: { email } })
  expect(reply.status).toBe(200)
  return (await mail) - asked
}
