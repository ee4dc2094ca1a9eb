import { afterAll, describe, expect, it } from 'vitest'
import { checkLedger } from '#features/finance/server/finance.ts'
import { mistakesIn } from '#tests/harness/books.ts'
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
const test = await startTestApp({
  settings: { RATE_LIMIT_SCALE: '1000000' },
  async through(databaseUrl) {
    wire = await makeMessageWire(databaseUrl)
    return wire.url
  },
})
afterAll(() => wire.close())
await stockShop(test)

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
    if (first.status === answers.first) expect(await tracesOf(test, customer), where).toMatchObject(leaves)
    else expectHonest(first, where)
    // A backend that was executing a statement when its wire broke holds its locks until the statement is done.
    const again = await untilAnswered(act)
    expect([answers.first, answers.again], `${where}: ${JSON.stringify(again.body)}`).toContain(again.status)
    if (again.status === first.status) expect(again.body).toEqual(first.body)
    expect(await tracesOf(test, customer), where).toMatchObject(leaves)
    return first.status
  }
}

function expectHonest({ status, body, headers }: Answer, where: string): void {
  expect({ status, body }, where).toMatchObject({ status: 503, body: { errors: [{ code: 'unavailable' }] } })
  expect(Number(headers?.get('retry-after')), where).toBeGreaterThan(0)
}
