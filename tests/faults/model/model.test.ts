import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { checkLedger } from '#features/finance/server/finance.ts'
import { mistakesIn } from '#tests/harness/books.ts'
import { signedInStaff } from '#tests/harness/customer.ts'
import { asOwner } from '#tests/harness/hosts.ts'
import { startInstallation } from '#tests/faults/installation.ts'
import { commands } from './commands.ts'
import { leave } from './ends.ts'
import { stockGoods } from './goods.ts'
import type { Command } from './opening.ts'
import { beginStory, expectBalances, type Story, type World } from './story.ts'

// `npm run test:faults -- model` makes 300 runs of 50 steps.
const RUNS = Number(process.env['MODEL_RUNS'] ?? 4)
const STEPS = Number(process.env['MODEL_STEPS'] ?? 22)
const SEED = Number(process.env['SEED'] ?? Date.now() % 2 ** 31)

const usual = [
  'order: paid',
  'renew: paid',
  'order of any kind: paid',
  'checkout: paid itself',
  'payout: sent',
  'wait: filled',
]
const rare = [
  'wait: renewed on',
  'refund: whole',
  'refund: in part',
  'refund: to who has left',
  'charge back: into debt',
  'voucher: redeemed',
  'checkout: paid itself',
  'checkout: cancelled, the money is there',
  'payout: sent',
  'payout: returned',
  'delete account: after an order',
  'kill and restart: between answers',
]

// Jobs are done when a story lets days pass, not by the process meanwhile. One member of staff gives all refunds, without approvals.
const installation = await startInstallation({ ROLE: 'web', STAFF_APPROVALS: 'off' })
afterAll(() => installation.close())
await stockGoods(installation)
// Killing processes loses nothing that the operating system has; waiting for the disk would only cost time here.
await asOwner(installation, 'alter system set fsync = off')
await asOwner(installation, 'select pg_reload_conf()')

it(
  `rules 7 to 14: in ${RUNS} runs of ${STEPS} steps the installation has what the model says, sums are zero, periods in a row, order = charge = licence = invoice (SEED=${SEED})`,
  async () => {
    const did = new Map<string, number>()
    const { opening, any } = commands(did)
    let runs = 0
    const run = async (steps: Command[]) => {
      // Staff are asked anew for their password some minutes after they signed in.
      const world: World = { installation, staff: await signedInStaff(installation) }
      const story = await beginStory(world)
      await fc.asyncModelRun(() => ({ model: story, real: world }), [...opening, ...steps])
      await end(story, world)
      runs += 1
      if (runs % 10 === 0) process.stdout.write(`  ${runs} runs …\n`)
    }
    const story = fc.array(any, { minLength: STEPS, maxLength: STEPS })
    await fc.assert(fc.asyncProperty(story, run), {
      numRuns: RUNS,
      seed: SEED,
      endOnFailure: true,
      includeErrorInReport: true,
    })
    const figures = [...did].toSorted(([one], [other]) => one.localeCompare(other))
    process.stdout.write(`  ${figures.map(([what, times]) => `${what}: ${times}`).join('\n  ')}\n`)
    // The runs must reach these outcomes, or they show nothing.
    const wanted = [...usual, ...(RUNS >= 100 ? rare : [])]
    for (const what of wanted) expect(did.get(what) ?? 0, what).toBeGreaterThan(0)
  },
  60_000 + RUNS * STEPS * 2_000,
)

/** Lets everybody leave, so that the next run starts without them; then checks the books of all runs. */
async function end(story: Story, world: World): Promise<void> {
  await expectBalances(story, world)
  for (const who of story.people.keys()) await leave(story, world, who)
  expect(await mistakesIn(installation)).toEqual([])
  expect((await checkLedger(installation.app.ownerUrl)).damages).toEqual([])
  await asOwner(installation, 'delete from jobs')
}
