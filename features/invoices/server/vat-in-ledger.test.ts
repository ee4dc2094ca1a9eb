import { afterAll, expect, it } from 'vitest'
import { checkLedger } from '#features/finance/server/finance.ts'
import { liveLedger, vatByMonth } from '#tests/harness/ledger-history.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const STEPS = 120

const test = await startTestApp()
const { app } = test
const superuser = await superuserOf(test)
afterAll(() => superuser.end())

it(`B-05 rules 7 and 13: of ${STEPS} random sales, gifts, reissues, refunds, payouts and chargebacks the sides cancel out, and the accounts for VAT hold what the documents state`, async () => {
  const { did } = await liveLedger(test, STEPS)
  expect(Object.keys(did).toSorted()).toEqual([
    'charge back',
    'gift',
    'pay out',
    'refund',
    'reissue',
    'rest',
    'sell',
  ])
  expect(await checkLedger(app.ownerUrl)).toMatchObject({ damages: [] })
  expect(await vatByMonth(superuser)).toEqual([])
}, 120_000)
