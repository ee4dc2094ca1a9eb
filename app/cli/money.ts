import { credit } from '#features/finance/server/finance.ts'
import { findAccountByProvenEmail } from '#features/profile/server/profile.ts'
import { canonicalEmail } from '#foundation/email-address.ts'
import { doneAlone } from '#foundation/server/approvals/events.ts'
import { recordAction } from '#foundation/server/audit/audit.ts'
import { emit } from '#foundation/server/events.ts'
import { NotFound, WrongUse } from '#foundation/server/operator-errors.ts'
import { readAmount } from './amount.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'
import { moveOnce } from './move-once.ts'
import type { Options } from './options.ts'
import { withApp } from './with-app.ts'

/** `credit EMAIL AMOUNT REASON`. Throws NotFound if no account has proven this address (rule 36). */
export async function creditBy(
  surroundings: CommandEnvironment,
  given: readonly string[],
  options: Options,
): Promise<Answer> {
  const [email = '', amount = '', reason = ''] = given
  if (reason.trim() === '' || reason.length > 200)
    throw new WrongUse('Say the reason in at most 200 characters: the customer reads it.')
  return await withApp(surroundings, async (app) => {
    const account = await findAccountByProvenEmail(app.db, canonicalEmail(email.trim()) ?? '')
    if (!account)
      throw new NotFound(
        `No account has confirmed the address '${email}', so nobody was credited. Ask the customer which confirmed address is in their settings.`,
      )
    const { user_id } = account
    const { currency } = app.config
    const minor = readAmount(amount, currency)
    return moveOnce(app, { user_id, command: 'credit', given, options }, async (tx) => {
      const { transaction_id } = await credit(app, tx, { user_id, amount: minor, reason })
      // No second person is asked, because a user of the shell can write to the database anyway. The owners are told instead.
      if (minor > app.config.staffAlone.credit.owner)
        await emit(app, tx, doneAlone, {
          act: 'finance.credit',
          customer_id: user_id,
          amount: minor,
          reason,
          by: null,
        })
      await recordAction(tx, {
        user_id,
        act: 'finance.credit_given',
        detail: { by: 'command line', transaction_id, reason },
      })
      return {
        lines: [`${email} has ${amount} ${currency} more.`],
        data: { email, amount: String(minor), currency },
      }
    })
  })
}
