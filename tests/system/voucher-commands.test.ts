import { expect, it } from 'vitest'
import { commands } from '#app/cli/commands.ts'
import { redeemVoucher } from '#features/finance/contract.ts'
import { must } from '#foundation/must.ts'
import { WrongUse } from '#foundation/server/operator-errors.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp({ settings: { BALANCE_CAP: '50' } })
const { app } = test
const surroundings = { config: app.config, log: app.log, ownerUrl: app.ownerUrl, close: async () => {} }
const make = async (amount: string, word: string) =>
  must(await must(commands['voucher make']).run(surroundings, [amount, '1', '30'], { word }))

// This test failed while the command line made vouchers that no balance may hold: the customer read that the code is right, and got nothing.
it('B-04 the command line makes the largest voucher that somebody can redeem, and no larger one', async () => {
  await expect(make('50.01', 'TOO-MUCH-NOW')).rejects.toThrow(
    new WrongUse('A balance may hold 50.00 EUR, so nobody could redeem more (BALANCE_CAP).'),
  )
  await make('50.00', 'AS-MUCH-AS-FITS')
  const { api } = await signedInCustomer(test)
  const reply = await api.call(redeemVoucher, {
    headers: { 'idempotency-key': 'k-1' },
    body: { code: 'AS-MUCH-AS-FITS' },
  })
  expect(reply.status).toBe(201)
})

it('B-04 of commands that make one code at once, one makes it, and all others say that it is taken', async () => {
  const made = await Promise.allSettled(Array.from({ length: 8 }, () => make('5.00', 'ONLY-ONCE-2026')))
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const refused = made.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
  for (const error of refused)
    expect(error).toEqual(new WrongUse('A voucher has, or had, this code: choose another.'))
})
