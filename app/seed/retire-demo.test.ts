import { expect, it } from 'vitest'
import { checkLedger, credit } from '#features/finance/server/finance.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { exampleAccounts } from '#foundation/server/session/session.ts'
import { makeAccount } from '#tests/contract/accounts.ts'
import { ownerOf } from '#tests/harness/owner-rows.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { seedDemo } from './seed-demo.ts'
import { removeDemo, retireDemo } from './remove-demo.ts'

const { app } = await startTestApp()
const { owner, count } = await ownerOf({ app })

it('rule 39: where it refuses, the example people are erased and all books stay', async () => {
  await seedDemo(app)
  const real = await makeAccount(app)
  await transaction(app, 'system', (tx) =>
    credit(app, tx, { user_id: real.user_id, amount: 500n, reason: 'gift' }),
  )
  await expect(removeDemo(app)).rejects.toThrow('demo retire')
  const before = [await count('users'), await count('transactions'), await count('invoices')]
  expect(await exampleAccounts(owner)).toContain('anna@example.com')
  const { emails } = await retireDemo(app)
  expect(emails).toEqual(expect.arrayContaining(['anna@example.com', 'olivia@example.com']))
  expect(await exampleAccounts(owner), 'production starts').toEqual([])
  expect([await count('users'), await count('transactions'), await count('invoices')]).toEqual(before)
  expect(await count(`users where email in ('anna@example.com', 'olivia@example.com')`)).toBe(0)
  expect(await count('users where is_staff')).toBe(0)
  expect(await count('vouchers where voided_at is null and (expires_at is null or expires_at > now())')).toBe(
    0,
  )
  expect(await count('unbooked_events where done_at is null'), 'example money waits for nobody').toBe(0)
  expect(await checkLedger(app.ownerUrl)).toMatchObject({ damages: [] })
  await expect(removeDemo(app)).resolves.toMatchObject({ emails: [] })
})
