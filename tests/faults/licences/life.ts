import { must } from '#foundation/must.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { bodyOf as bodyOfError } from '#foundation/server/http/error-response.ts'
import { jobs as licenceJobs } from '#features/licences/server/feature.ts'
import { jobs as salesJobs } from '#features/sales/server/feature.ts'
import type { Act } from './acts.ts'
import { runJobs } from './debts.ts'
import { hold } from './hold.ts'
import { expectPlans } from './plans.ts'
import type { Clock, JobKey, Model, Side } from './model.ts'
import { expected, snapshot, type Snapshot } from './snapshot.ts'
import { codeOf, type Person } from '#tests/harness/in-process.ts'
import { type Lane } from './world.ts'

/** A running history: its host, the owner and the possible payer of the host, and their state in the model. */
export type Life = {
  lane: Lane
  model: Model
  people: Record<Side, Person>
  hostId: string
  host_id: string
  /** The number of times that each outcome of an act has occurred. */
  did: Map<string, number>
  random: () => number
  /** Does an act between the page that shows a price and the click that pays it, in the same way as any other act. */
  live: (act: Act) => Promise<void>
}

type Answer = { status: number; body?: unknown }

/** An act: `ask` sends it to the product, `apply` does it in the model and returns the code of the refusal that is due, if any. */
export type Step = {
  name: string
  ask: () => Promise<Answer>
  apply: (clock: Clock, answer: Answer) => string | undefined
}

/** The share of the acts after which the plans are compared, at `TIMES` moments. After the last act they are always compared. */
const LOOKED_AT = 1 / 4
const TIMES = 5

/** Does a step in the product and in the model, with the jobs that become due, and compares the two. */
export async function perform(life: Life, { name, ask, apply }: Step): Promise<void> {
  const { model } = life
  const began = Date.now()
  const answer = await ask()
  const soon = await see(life)
  const done = soon.is_due ? await doJobs(life) : []
  const seen = done.length > 0 ? await see(life) : soon
  const known = model.periods.length
  const clock = clockOf(model, seen, began)
  const refused = apply(clock, answer)
  const jobs = runJobs(model, clock)
  hold(name, { refused: codeOf(answer), jobs: done }, { refused, jobs })
  count(life, `${name}: ${refused ?? 'done'}`)
  for (const job of done) count(life, `job ${job}`)
  for (const [place, { sale }] of model.periods.entries())
    if (place >= known) sale.transaction_id = must(seen.rows[place]).transaction_id ?? ''
  const { rows, is_due: _due, ...rest } = seen
  const plain = rows.map(({ id: _id, ordered: _ordered, ...row }) => row)
  hold(`${name}: what is written`, { ...rest, rows: plain }, expected(model, idsOf(life)))
  if (life.random() < LOOKED_AT) await expectPlans(life, TIMES)
}

const count = ({ did }: Life, what: string): void => void did.set(what, (did.get(what) ?? 0) + 1)

const idsOf = ({ people: { owner, payer } }: Life) => ({ owner: owner.user_id, payer: payer.user_id })

const see = (life: Life): Promise<Snapshot> => {
  const { owner, payer } = idsOf(life)
  return snapshot(life.lane.world, { host_id: life.host_id, accounts: [owner, payer], jobs: keysOf(life) })
}

/** Reads the time of an act from the rows that it wrote, since the clock of the database decides. */
function clockOf(model: Model, { rows }: Snapshot, began: number): Clock {
  const ended = Date.now()
  const isNow = (at: number) => at >= began - 5 && at <= ended + 5
  const fresh = rows.slice(model.periods.length).map(({ ordered }) => ordered)
  hold('ordered now', fresh.filter(isNow), fresh)
  const cut = model.periods.flatMap(({ ended: how, starts }, place) => {
    const row = rows[place]
    return row?.ended === 'refunded' && how === null && row.ends > starts && isNow(row.ends) ? [row.ends] : []
  })
  const next = (at: number | undefined) => must(at, 'order that the product has not made')
  return { now: cut[0] ?? ended, ordered: () => next(fresh.shift()), peek: () => next(fresh[0]) }
}

const byName = new Map([...licenceJobs, ...salesJobs].map((job) => [job.name, job]))

const names: readonly JobKey[] = ['debt:owner', 'debt:payer', 'licence', 'renew']

function keysOf(life: Life): string[] {
  const { owner, payer } = idsOf(life)
  return [`debt:${owner}`, `debt:${payer}`, `licence:${life.host_id}`, `renew:${life.host_id}`]
}

/** Does the jobs that are due, in the order of the model. */
async function doJobs(life: Life): Promise<JobKey[]> {
  const { world } = life.lane
  const keys = keysOf(life)
  const done: JobKey[] = []
  for (;;) {
    const { rows } = await world.owner.query<{ key: string; name: string; payload: unknown }>({
      name: 'take',
      text: `delete from jobs where id = (select id from jobs where key = any($1) and run_at <= clock_timestamp()
        order by array_position($1, key) limit 1) returning key, name, payload`,
      values: [keys],
    })
    const [job] = rows
    if (!job) return done
    await must(byName.get(job.name)).run(world.test.app, job.payload, 'histories')
    done.push(must(names[keys.indexOf(job.key)]))
  }
}

/** Calls functions of the product. Returns 200 with their result, or the refusal that one of them throws. */
export async function refusing(work: () => Promise<unknown>): Promise<Answer> {
  try {
    return { status: 200, body: await work() }
  } catch (error) {
    if (error instanceof HttpError) return { status: error.status, body: bodyOfError(error, 'product') }
    throw error
  }
}
