import { expect, it } from 'vitest'
import { transaction } from '#foundation/server/database/transaction.ts'
import { updateUser } from '#foundation/server/session/session.ts'
import type { Factor } from '#foundation/session-contract.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { assertNobodyLockedOut } from './locked-out.ts'

const test = await startTestApp({ settings: { PASSKEYS: 'off' } })
const { app } = test

it('D25: refuses to start without passkeys while somebody has nothing else, and names how many and what to do', async () => {
  const { user_id } = await signedInCustomer(test)
  const factors = (...having: Factor[]) =>
    transaction(app, 'system', (tx) => updateUser(tx, user_id, { factors: having }))
  await expect(assertNobodyLockedOut(app)).resolves.toBeUndefined()
  await factors('webauthn', 'recovery_codes')
  await expect(assertNobodyLockedOut(app)).rejects.toMatchObject({
    lines: [expect.stringMatching(/^PASSKEYS is off, and 1 accounts? .*Set PASSKEYS=on/)],
  })
  await expect(
    assertNobodyLockedOut({ ...app, config: { ...app.config, passkeys: true } }),
  ).resolves.toBeUndefined()
  await factors('webauthn', 'totp', 'recovery_codes')
  await expect(assertNobodyLockedOut(app), 'codes of the app are left').resolves.toBeUndefined()
})
