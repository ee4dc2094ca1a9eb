import { findAccountByProvenEmail } from '#features/profile/server/profile.ts'
import { addRoles, invite } from '#features/team/server/team.ts'
import { canonicalEmail } from '#foundation/email-address.ts'
import { newEmail } from '#foundation/fields.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { WrongUse } from '#foundation/server/operator-errors.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'
import type { Options } from './options.ts'
import { readRoles } from './roles.ts'
import { withApp } from './with-app.ts'

/** As of each address that is named for the first time (foundation/fields.ts). */
const reachable = (email: string) => newEmail().safeParse(email).success

const BY = 'command line'

/**
 * Adds roles to the account that has proven this address; if no account has, mails an invitation to the address. The attack is a
 * stranger who signs up with the operator's address before the operator does: an account that only claims an address gets neither a
 * role nor a proof (rule 36). Throws WrongUse for a malformed address and for an unknown role.
 */
export async function createStaff(
  surroundings: CommandEnvironment,
  given: string,
  { role, printLink }: Options,
): Promise<Answer> {
  const email = canonicalEmail(given.trim())
  if (email === undefined || email.length > 254) throw new WrongUse(`'${given}' is no email address.`)
  const roles = readRoles(typeof role === 'string' ? role : 'support,billing')
  return await withApp(surroundings, (app) =>
    transaction(app, 'system', async (tx) => {
      const account = await findAccountByProvenEmail(tx, email)
      if (account) {
        const { user_id } = account
        const held = await addRoles(app, tx, { user_id, roles, by: BY, reason: 'from the command line' })
        return {
          lines: [`${email} is ${held.join(', ')} now.`],
          data: { email, roles: held, invited: false },
        }
      }
      if (!reachable(email))
        throw new WrongUse(
          `'${given}' has letters before the @ that most mail servers do not take, so the invitation would not arrive.`,
        )
      const { link } = await invite(app, tx, { email, roles, by: null, locale: 'en' })
      const lines = [`Nobody has proven ${email}. An invitation is on its way.`]
      if (!app.config.smtpUrl)
        lines.push(`SMTP_URL is not set, so it is kept at ${app.config.publicOrigin}/dev/mail/.`)
      if (printLink === true) lines.push(`Its link, for 7 days: ${link}`)
      return { lines, data: { email, roles, invited: true, ...(printLink === true && { link }) } }
    }),
  )
}
