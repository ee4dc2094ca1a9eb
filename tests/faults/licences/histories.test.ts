import fc from 'fast-check'
import { expect, it } from 'vitest'
import { checkLedger } from '#features/finance/server/finance.ts'
import { must } from '#foundation/must.ts'
import { mistakesIn } from '#tests/harness/books.ts'
import { history, type History } from './acts.ts'
import { liveWhole } from './histories.ts'
import { differingAnswers, namesOfLanguages, type Judged } from './other-languages.ts'
import { beginnings, type Beginning } from './people.ts'
import { closeWorld, openWorld, type Lane } from './world.ts'

// `npm run test:faults -- licences` runs 100,000 histories, 4 to 8 a second on each core. HISTORIES is their number, SEED chooses them, and
// MINUTES is the time after which the test stops at the latest.
const HISTORIES = Number(process.env['HISTORIES'] ?? 24)
const SEED = Number(process.env['SEED'] ?? Date.now() % 2 ** 31)
const STOP_AT = Date.now() + Number(process.env['MINUTES'] ?? 600) * 60_000
// The number of histories in one world: a world takes some seconds to begin and to check at its end.
const EACH_WORLD = 2_000
const LANES = 8
const OVER_HTTP = 0.04
const MADE_TOGETHER = 8
const WORTH_A_RUN = 500

const currencies = ['EUR', 'JPY'] as const
const did = new Map<string, number>()
let lived = 0
let overHttp = 0
let judged = 0
/** The worlds whose documents no library of another language has judged: programs are compiled for each run, so small worlds share one. */
const unjudged: Judged[] = []
/** The libraries' run on the documents of earlier worlds, beside the histories of the next one. Resolves with the answers that differ. */
let judging = Promise.resolve<string[]>([])
const began = Date.now()

async function liveMany(currency: string, count: number, seed: number, isOverHttp: boolean): Promise<void> {
  const most = Math.min(LANES, Math.ceil(count / 2))
  const { world, lanes } = await openWorld(currency, most, isOverHttp)
  const waiting = fc.sample(history, { numRuns: count, seed })
  const failures: string[] = []
  const goesOn = () => failures.length === 0 && Date.now() < STOP_AT
  const work = async (lane: Lane) => {
    while (waiting.length > 0 && goesOn()) {
      const taken = waiting.splice(0, Math.min(MADE_TOGETHER, Math.ceil(count / most)))
      for (const [place, born] of (await beginnings(world, taken)).entries())
        if (goesOn()) await liveOne(lane, must(taken[place]), born)
    }
  }
  const liveOne = async (lane: Lane, one: History, born: Beginning) => {
    const failure = await failureOf(lane, one, born)
    if (failure === undefined) lived += 1
    else failures.push(`${failure}\nSEED=${seed}, ${currency}: ${JSON.stringify(await smallest(lane, one))}`)
    if (isOverHttp) overHttp += 1
  }
  try {
    await Promise.all(lanes.map(work))
    expect(failures).toEqual([])
    expect((await checkLedger(world.test.app.ownerUrl)).damages).toEqual([])
    expect(await mistakesIn(world.test)).toEqual([])
    judged += world.judged.length
    unjudged.push(world)
    if (world.judged.length >= WORTH_A_RUN) await judgeElsewhere()
  } finally {
    await closeWorld(world)
  }
}

async function judgeElsewhere(): Promise<void> {
  expect(await judging).toEqual([])
  if (unjudged.length > 0) judging = differingAnswers(unjudged.splice(0))
}

const failureOf = async (lane: Lane, one: History, born?: Beginning): Promise<string | undefined> => {
  try {
    const beginning = born ?? must((await beginnings(lane.world, [one]))[0])
    await liveWhole(lane, one, beginning, did)
    return undefined
  } catch (error) {
    return error instanceof Error ? `${error.message}\n${error.stack ?? ''}` : String(error)
  }
}

/** Returns the history without the acts that its failure does not need. */
async function smallest(lane: Lane, whole: History): Promise<History> {
  let failing = whole
  for (let place = failing.acts.length - 1; place >= 0; place -= 1) {
    const acts = failing.acts.filter((_, at) => at !== place)
    if ((await failureOf(lane, { ...failing, acts })) !== undefined) failing = { ...failing, acts }
  }
  return failing
}

it('L-10, L-11, L-18, Y-05 after any history plan, value, balance and forecast are those of a model of fractions', async () => {
  for (let turn = 0; lived < HISTORIES && Date.now() < STOP_AT; turn += 1) {
    const currency = must(currencies[turn % currencies.length])
    const count = Math.min(EACH_WORLD, Math.ceil((HISTORIES - lived) / (turn === 0 ? 2 : 1)))
    const sample = Math.ceil(count * OVER_HTTP)
    await liveMany(currency, sample, SEED + 2 * turn + 1, true)
    if (lived < HISTORIES) await liveMany(currency, count - sample, SEED + 2 * turn, false)
  }
  await judgeElsewhere()
  expect(await judging).toEqual([])
  const seconds = (Date.now() - began) / 1000
  const outcomes = [...did]
    .toSorted(([, one], [, other]) => other - one)
    .map(([what, times]) => `${what} ${times}`)
  process.stdout.write(
    `  ${lived} histories (${overHttp} over HTTP) in ${Math.round(seconds)} s, SEED=${SEED}; bar 100000\n` +
      `  ${judged} judgements of their documents, the same in JavaScript, ${namesOfLanguages}\n  ${outcomes.join(', ')}\n`,
  )
  // The histories must reach each of these outcomes, or they show nothing; fewer than 300 histories must reach four.
  const reached = WANTED.filter((what) => did.has(what))
  if (lived < 300) expect(reached.length).toBeGreaterThan(3)
  else expect(reached).toEqual(WANTED)
}, 36_000_000)

const WANTED = [
  'order: done',
  'upgrade: done',
  'refund in full: done',
  'agree: done',
  'transfer: done',
  'trial: done',
  'renew of many: done',
  'upgrade of many: done',
  'auto_renew of many: done',
  'renewal_plan of many: done',
  'job renew',
  'job licence',
]
