import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { checkLedger } from '#features/finance/server/finance.ts'
import { fillBalances } from '#features/sales/server/fill-balances.ts'
import { toMoney } from '#foundation/money.ts'
import { fillsItself } from '#tests/harness/auto-top-ups.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { asOwner } from '#tests/harness/hosts.ts'
import { startInstallation } from './installation.ts'

/** The number of kills; 20 by `npm run test:faults -- kills`. */
const KILLS = Number(process.env['KILLS'] ?? 1)
const LANES = 6

const installation = await startInstallation()
afterAll(() => installation.close())

type Counted = { runs: number; paid: number; posted: number; twice: number; open: number }

const counted = async (): Promise<Counted> => {
  const [row] = (await asOwner(
    installation,
    `select count(*)::int as runs, count(*) filter (where state = 'paid')::int as paid, count(*) filter (where ended_at is null)::int as open,
      (select count(*)::int from transactions where type = 'fill_balance') as posted,
      (select count(*)::int from (select top_up_id from payment_events where transaction_id is not null group by 1 having count(*) > 1) t) as twice
    from auto_top_up_runs`,
  )) as [Counted]
  return row
}

/** Has all balances looked at, as if a day had passed. The worker of the installation charges what lacks. */
async function lookAtAll(): Promise<void> {
  await asOwner(installation, `update auto_top_up_runs set created_at = created_at - interval '1 day'`)
  await asOwner(installation, 'update auto_top_ups set look_at = now()')
  await fillBalances(installation.app)
}

it(
  `rules 10, 14: kill -9 of everything ${KILLS} times under automatic top-ups: each run is charged and posted once, or nothing of both`,
  async () => {
    const wish = {
      kind: 'threshold',
      threshold: toMoney(9000_00n, 'EUR'),
      amount: toMoney(5_00n, 'EUR'),
      month_limit: toMoney(9000_00n, 'EUR'),
    } as const
    for (let lane = 0; lane < LANES; lane += 1)
      await fillsItself(installation, await signedInCustomer(installation), 'pays', wish)
    for (let round = 0; round < KILLS; round += 1) {
      const stream = { stopped: false }
      const looking = (async () => {
        while (!stream.stopped) await lookAtAll().catch(() => {})
      })()
      const before = (await counted()).paid
      for (let waited = 0; waited < 2_000; waited += 1) {
        if ((await counted()).paid >= before + LANES) break
        await sleep(20)
      }
      await sleep(Math.random() * 300)
      await installation.kill()
      stream.stopped = true
      await looking
      await installation.start()
    }
    for (let waited = 0; waited < 600 && (await counted()).open > 0; waited += 1) await sleep(200)
    const { runs, paid, posted, twice, open } = await counted()
    expect({ paid, posted, twice, open }).toEqual({ paid: runs, posted: runs, twice: 0, open: 0 })
    expect((await checkLedger(installation.app.ownerUrl)).damages).toEqual([])
    process.stdout.write(`  ${KILLS} kills: ${runs} runs were charged and posted once\n`)
    expect(runs, 'the stream has to flow').toBeGreaterThanOrEqual(KILLS * LANES)
  },
  180_000 + KILLS * 60_000,
)
