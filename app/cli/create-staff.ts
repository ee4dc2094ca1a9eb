import { randomBytes } from 'node:crypto'
import {
  insertAddress,
  createProfile,
  findAccountByEmail,
  lockAddress,
  claimAddress,
} from '#features/profile/server/profile.ts'
import { hashPassword, setPassword } from '#features/security/server/security.ts'
import { canonicalEmail } from '#foundation/email-address.ts'
import type { App } from '#foundation/server/app.ts'
import { recordAction } from '#foundation/server/audit/audit.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { createUser, setStaffRoles } from '#foundation/server/session/session.ts'
import { WrongUse } from '#foundation/server/operator-errors.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'
import { withApp } from './with-app.ts'

/**
 * The first staff member of an installation has nobody to grant them the role. An account that merely claims the address is
 * left as it is, without the claim: the operator knows whose address it is (rule 36). Throws WrongUse for what is no address.
 */
export async function createStaff(surroundings: CommandEnvironment, given: string): Promise<Answer> {
  const email = canonicalEmail(given.trim())
  if (email === undefined || email.length > 254) throw new WrongUse(`'${given}' is no e-mail address.`)
  return await withApp(surroundings, async (app) => {
    const account = await findAccountByEmail(app.db, email)
    return account ? await promote(app, account.user_id, email) : await create(app, email)
  })
}

async function promote(app: App, user_id: string, email: string): Promise<Answer> {
  await transaction(app, 'system', async (tx) => {
    await setStaffRoles(tx, user_id, ['support', 'billing'])
    await recordAction(tx, { user_id, act: 'staff.granted', detail: { by: 'command line' } })
  })
  return { lines: [`${email} is staff now.`], data: { email } }
}

async function create(app: App, email: string): Promise<Answer> {
  const password = randomBytes(12).toString('base64url')
  const hash = await hashPassword(password)
  const claims = await transaction(app, 'system', async (tx) => {
    await lockAddress(tx, email)
    const user_id = await createUser(tx, { email, locale: 'en' })
    await setStaffRoles(tx, user_id, ['support', 'billing'])
    await createProfile(tx, user_id)
    await insertAddress(tx, { user_id, email, is_primary: true, verified: true })
    await setPassword(app, tx, user_id, hash)
    await recordAction(tx, { user_id, act: 'staff.created', detail: { by: 'command line' } })
    return claimAddress(app, tx, email, user_id)
  })
  const lines = [
    `${email} is staff, with the password ${password}`,
    'It is shown this once; change it after the first sign-in.',
  ]
  if (claims > 0)
    lines.push(
      `This is a new account: ${claims} that claimed ${email}, without having confirmed it, got no rights and lost the claim.`,
    )
  return { lines, data: { email, password } }
}
