import { readSearch } from '#features/customers/rules.ts'
import { findAccountByProvenEmail } from '#features/profile/server/profile.ts'
import { canonicalEmail } from '#foundation/email-address.ts'
import type { App } from '#foundation/server/app.ts'
import { NotFound } from '#foundation/server/operator-errors.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'
import type { Options } from './options.ts'
import { reasonIn } from './reason.ts'
import { withApp } from './with-app.ts'

type Act = { user_id: string; reason: string }

/** Does the work for the account with this id, or with this confirmed address. Throws NotFound, and WrongUse for an unusable reason. */
export async function withCustomer(
  surroundings: CommandEnvironment,
  [customer = '']: readonly string[],
  options: Options,
  work: (app: App, act: Act) => Promise<Answer>,
): Promise<Answer> {
  const reason = reasonIn(options)
  return await withApp(surroundings, async (app) => {
    return work(app, { user_id: await accountNamed(app, customer), reason })
  })
}

/** Returns the account with this id, or with this confirmed address. Throws NotFound. */
export async function accountNamed(app: App, customer: string): Promise<string> {
  const named = readSearch(customer)
  if (named.kind === 'account') return named.text
  const account = await findAccountByProvenEmail(app.db, canonicalEmail(customer.trim()) ?? '')
  if (!account) throw new NotFound(`No account has confirmed the address '${customer}'. Nothing was changed.`)
  return account.user_id
}
