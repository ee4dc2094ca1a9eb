import { insertAddress, createProfile, type Address } from '#features/profile/server/profile.ts'
import type { Role } from '#foundation/roles.ts'
import type { Locale } from '#foundation/locale.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { createUser, setStaffRoles, updateUser, startSession } from '#foundation/server/session/session.ts'
import { anyEmail } from './any-email.ts'
import type { Client } from './client.ts'
import type { TestApp } from './test-app.ts'

export type Customer = { user_id: string; email: string; address: Address; api: Client }

type Wanted = { email?: string; verified?: boolean; proven_s_ago?: number; locale?: Locale; ip?: string }

/** Makes an account and signs it in, without the cost of hashing a password. The proof of the session is `proven_s_ago` seconds old. */
export async function signedInCustomer(
  { app, client }: Pick<TestApp, 'app' | 'client'>,
  wanted: Wanted = {},
): Promise<Customer> {
  const { email = anyEmail(), verified = true, proven_s_ago = 0, locale = 'en', ip = '127.0.0.1' } = wanted
  const api = client()
  const { user_id, address } = await transaction(app, 'system', async (tx) => {
    const user_id = await createUser(tx, { email, locale })
    await createProfile(tx, user_id)
    const address = await insertAddress(tx, { user_id, email, is_primary: true, verified })
    await updateUser(tx, user_id, { has_password: true })
    const methods = [{ method: 'password' as const, at: Date.now() / 1000 - proven_s_ago, email }]
    const from = { ip, user_agent: 'tests' }
    const { session_token, access_token } = await startSession(app, tx, { user_id, methods, from })
    api.session_token = session_token
    api.access_token = access_token.access
    api.refresh_token = access_token.refresh
    return { user_id, address }
  })
  return { user_id, email, address, api }
}

/** Makes an account of a member of staff with these roles, and signs it in. */
export async function signedInStaff(
  test: Pick<TestApp, 'app' | 'client'>,
  { roles = ['support', 'billing'], ...wanted }: Wanted & { roles?: readonly Role[] } = {},
): Promise<Customer> {
  const person = await signedInCustomer(test, wanted)
  await transaction(test.app, 'system', (tx) => setStaffRoles(tx, person.user_id, roles))
  return person
}
