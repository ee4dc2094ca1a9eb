import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { cronJob, enqueue, job } from '#foundation/server/jobs/jobs.ts'
import { startWorker } from '#foundation/server/jobs/worker.ts'
import { checkLedger } from '#features/finance/server/finance.ts'
import { mistakesIn } from '#tests/harness/books.ts'
import { poolAt } from '#tests/harness/pools.ts'
import { stockShop } from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { untilAnswered } from '#tests/harness/until-answered.ts'
import { makeMessageWire, type Cut, type MessageWire } from './message-wire.ts'
import { moneyActs, type Answer, type MoneyAct } from './money-acts.ts'
import { tracesOf } from './traces.ts'

/** One message out of this many is cut; 1 cuts all of them: `npm run test:faults -- cuts`. */
const EVERY = Number(process.env['CUT_EVERY'] ?? 41)
const SIDES = ['before', 'after'] as const

let wire!: MessageWire
let direct!: string
const test = await startTestApp({
  settings: { RATE_LIMIT_SCALE: '1000000' },
  async through(databaseUrl) {
    direct = databaseUrl
    wire = await makeMessageWire(databaseUrl)
    return wire.url
  },
})
afterAll(() => wire.close())
await stockShop(test)
/**
 * Reads what an act has left around the wire. Seen red: an act in this process has ended by the message that was cut, and in the same turn of
 * the event loop our reading took a connection that was cut too, and did not know yet.
 */
const around = { app: { ...test.app, ownerUrl: direct } }

describe('rule 34: the wire to the database breaks before or after any message', () => {
  for (const [name, act] of Object.entries(moneyActs(test)))
    it(`${name}: it has happened once or not at all, the answer says so or says 503, and asked again it has happened`, async () => {
      let last = 0
      const told: Record<string, number> = {}
      for (const side of SIDES) {
        // The first cut is at another message each time, so that in the long run every message is cut.
        const every = EVERY === 1 ? 1 : EVERY * (act.sparsely ?? 1)
        for (let message = 1 + Math.floor(Math.random() * every); ; message += every) {
          const outcome = await tryOnce(act, { message, side })
          if (outcome === undefined) break
          last = Math.max(last, message)
          told[outcome] = (told[outcome] ?? 0) + 1
        }
      }
      expect(await mistakesIn(test)).toEqual([])
      expect((await checkLedger(test.app.ownerUrl)).damages).toEqual([])
      process.stdout.write(`  ${name}: cut at 1 of ${EVERY} of ${last} messages, ${JSON.stringify(told)}\n`)
      expect(Object.keys(told)).not.toEqual([])
    }, 900_000)
})

/**
 * Does an act with one cut, then repeats it until it is answered. Returns the status of the attempt that was cut; undefined if the act
 * has fewer messages. An attempt without a cut proves nothing: a process that falls behind sheds load with 503 before it asks the database.
 */
async function tryOnce(money: MoneyAct, cut: Cut): Promise<number | undefined> {
  const { answers, leaves } = money
  const where = `${cut.side} message ${cut.message}`
  for (;;) {
    const { customer, act } = await money.prepare()
    wire.arm(cut)
    const first = await act()
    if (!wire.disarm()) {
      if (first.status === answers.first) return undefined
      expectHonest(first, where)
      continue
    }
    if (first.status === answers.first) expect(await tracesOf(around, customer), where).toMatchObject(leaves)
    else expectHonest(first, where)
    // A backend that was executing a statement when its wire broke holds its locks until the statement is done.
    const again = await untilAnswered(act)
    expect([answers.first, answers.again], `${where}: ${JSON.stringify(again.body)}`).toContain(again.status)
    if (again.status === first.status) expect(again.body).toEqual(first.body)
    expect(await tracesOf(around, customer), where).toMatchObject(leaves)
    return first.status
  }
}

function expectHonest({ status, body, headers }: Answer, where: string): void {
  expect({ status, body }, where).toMatchObject({ status: 503, body: { errors: [{ code: 'unavailable' }] } })
  expect(Number(headers?.get('retry-after')), where).toBeGreaterThan(0)
}

/** The statements of the queue, each with a part of its text that no other has. */
const statements = [
  'from take_jobs(',
  'id <> all ($2::bigint[])',
  'update jobs set taken_by = null, taken_at = null, last_error',
  'select enqueue_job($1',
]

// Seen red: the process waited for the answer for as long as it lived, and did no job any more.
it.each(statements)(
  'rule 58: after a lost answer to `%s` all jobs are done within the lease',
  async (text) => {
    const [once, again] = [jobKind('once', 'money'), jobKind('again', 'rest')]
    const done: string[] = []
    let failures = 1
    const owner = poolAt(test.app.ownerUrl)
    const run = async (_app: App, { word }: { word: string }) => {
      if (word === 'fails' && failures-- > 0) throw new Error('the first try fails')
      // Longer than the lease of a lost job, which this one is not.
      if (word === 'long') await sleep(4_500)
      done.push(word)
    }
    const kinds = [job(once, run), cronJob(again, 1, async () => void done.push('again'))]
    const worker = await startWorker(test.app, kinds, { answer_ms: 1_000, lease_s: 2 })
    await owner.query(`update jobs set run_at = now() where key = 'every:again'`)
    const ask = (word: string) => transaction(test.app, 'system', async (tx) => enqueue(tx, once, { word }))
    const lost = wire.loseAnswer(text)
    await Promise.all(['one', 'fails', 'two', 'long'].map(ask))
    await lost
    done.splice(0, done.length, ...done.filter((word) => word !== 'again'))
    const all = ['again', 'fails', 'long', 'one', 'two']
    await expect.poll(() => all.every((word) => done.includes(word)), { timeout: 30_000 }).toBe(true)
    expect(done.filter((word) => word === 'long')).toEqual(['long'])
    await worker.stop()
    await owner.query('delete from jobs')
  },
)
