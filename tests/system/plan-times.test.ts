import { afterAll, expect, it } from 'vitest'
import { transaction } from '#foundation/server/database/transaction.ts'
import { WrongUse } from '#foundation/server/operator-errors.ts'
import { stockShop } from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { replacePlan } from '#app/cli/plan-moves.ts'
import { pricePlan, readTime } from '#app/cli/plans.ts'
import * as licences from '#features/licences/server/licences.ts'

const machine = process.env['TZ']
process.env['TZ'] = 'America/New_York'
afterAll(() => {
  if (machine === undefined) delete process.env['TZ']
  else process.env['TZ'] = machine
})
const test = await startTestApp({ settings: { COMPANY_TIME_ZONE: 'Asia/Tokyo' } })
const { app } = test
await stockShop(test)
const { config, log, ownerUrl } = app
const environment = { config, log, ownerUrl, close: () => Promise.resolve() }

// Seen red while a bare day began at midnight of the machine.
it('a day of a price begins in the time zone of the company, not of the machine', async () => {
  expect(new Date('2126-12-01T00:00').toISOString()).toBe('2126-12-01T05:00:00.000Z')
  const { data } = await pricePlan(environment, ['standard-month', '24.90'], {
    from: '2126-12-01',
    renewalsFrom: '2127-02-01T00:00:00Z',
  })
  expect(data).toEqual({
    slug: 'standard-month',
    from: new Date('2126-11-30T15:00:00Z'),
    renewals_from: new Date('2127-02-01T00:00:00Z'),
  })
})

it('so does the day from which servers renew with another plan', async () => {
  await transaction(app, 'system', async (tx) => {
    const name = { en: 'Old', de: 'Alt', ru: 'Старый' }
    await licences.addPlan(tx, { slug: 'old-month', name, term: 'P1M', price_net: 1990n })
    await licences.changePlan(app, tx, 'old-month', { is_active: false }, { by: 'test' })
  })
  const { data } = await replacePlan(environment, ['old-month', 'standard-month'], {
    from: '2126-12-01',
    dryRun: true,
  })
  expect(data).toMatchObject({ from: '2126-11-30T15:00:00.000Z' })
})

it('refuses a day that is none', async () => {
  for (const none of ['2126-02-30', '2126-13-01', '2006-12-01', 'soon'])
    await expect(readTime(app, none), none).rejects.toThrow(WrongUse)
})
