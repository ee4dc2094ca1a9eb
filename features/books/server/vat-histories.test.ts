import { unzipSync } from 'fflate'
import { afterAll, expect, it } from 'vitest'
import { checkLedger } from '#features/finance/server/finance.ts'
import { digitsOf } from '#foundation/money.ts'
import { must } from '#foundation/must.ts'
import { lastDayOf } from '#features/books/rules.ts'
import { appsOf, currencies, liveLedger, vatByMonth } from '#tests/harness/ledger-history.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { contentOf } from './exports/content.ts'

// `npm run test:faults -- ledger` takes 100,000 steps. LEDGER_STEPS sets the number of steps, MINUTES the longest time.
const STEPS = Number(process.env['LEDGER_STEPS'] ?? 150)
const STOP_AT = Date.now() + Number(process.env['MINUTES'] ?? 600) * 60_000
const SEED = Number(process.env['SEED'] ?? Date.now() % 2 ** 31)
const LANES = STEPS > 1000 ? 6 : 2

const test = await startTestApp({ settings: { DATEV: '1001/7', COMPANY_TIME_ZONE: 'Europe/Berlin' } })
const superuser = await superuserOf(test)
afterAll(() => superuser.end())

const month = new Date().toLocaleDateString('sv-SE', { timeZone: 'Europe/Berlin' }).slice(0, 7)

/** Reads the month's control sheet in one currency: `agrees`, the number of rows, and the lines in which file and ledger differ. */
async function controlOf(
  place: number,
): Promise<{ agrees: boolean | null; rows: number; differing: string[] }> {
  const app = must(appsOf(test.app)[place])
  const span = { kind: 'datev', first_day: `${month}-01`, last_day: lastDayOf(month) } as const
  const wanted = { ...span, locale: 'en', created_at: new Date() } as const
  const made = contentOf(app, wanted)
  const pieces: Uint8Array[] = []
  for await (const piece of made.content) pieces.push(piece)
  const files = unzipSync(Buffer.concat(pieces))
  const sheet = Buffer.from(must(files[`control-${month}.csv`])).toString('utf8')
  // Two headings come before the comparisons; the last column of a comparison is the difference.
  const compared = sheet.split('\r\n').filter((line) => line.split(',').length === 5)
  const differing = compared.slice(2).filter((line) => !/,0(?:\.0+)?$/.test(line))
  return { agrees: made.outcome.agrees, rows: made.outcome.rows, differing }
}

it(`B-05 B-08 after ${STEPS} sales, gifts, reissues, refunds, payouts and chargebacks at 12 rates, ledger, documents and the control sheets of DATEV are equal`, async () => {
  const began = Date.now()
  // Autovacuum is off in the tests' PostgreSQL: plans made for empty tables would read whole tables after these have grown.
  const tending = setInterval(() => void superuser.query('vacuum analyze'), 20_000)
  const { did, lived } = await liveLedger(test, STEPS, {
    lanes: LANES,
    stop_at: STOP_AT,
    seed: SEED,
  }).finally(() => clearInterval(tending))
  const seconds = Math.round((Date.now() - began) / 1000)
  process.stdout.write(`  ${lived} steps in ${seconds} s, SEED=${SEED}; bar 100000: ${JSON.stringify(did)}\n`)
  expect(Object.keys(did).toSorted()).toEqual([
    'charge back',
    'gift',
    'pay out',
    'refund',
    'reissue',
    'rest',
    'sell',
  ])
  expect(await checkLedger(test.app.ownerUrl)).toMatchObject({ damages: [] })
  expect(await vatByMonth(superuser)).toEqual([])
  for (const [place, currency] of currencies.entries()) {
    // A file of DATEV has no place for a third decimal digit.
    if (digitsOf(currency) > 2) continue
    const { agrees, rows, differing } = await controlOf(place)
    expect({ currency, agrees, differing }).toEqual({ currency, agrees: true, differing: [] })
    expect(rows).toBeGreaterThan(0)
  }
}, 36_000_000)
