import { accountReply, findCustomers } from '#features/customers/server/customers.ts'
import { decimalText } from '#foundation/money.ts'
import { NotFound } from '#foundation/server/operator-errors.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'
import { MOST } from './pages.ts'
import { withApp } from './with-app.ts'
import { withCustomer } from './with-customer.ts'

/** `customer find TEXT`: the newest 100 at most. */
export async function find(
  surroundings: CommandEnvironment,
  [text = '']: readonly string[],
): Promise<Answer> {
  return await withApp(surroundings, async (app) => {
    const found = await findCustomers(app, text, MOST + 1)
    const customers = found.slice(0, MOST)
    if (customers.length === 0) throw new NotFound(`Nobody is found by '${text}'.`)
    const lines = customers.map(
      ({ id, email, name, state, balance }) =>
        `${id} ${email}${name === '' ? '' : ` (${name})`}: ${state}, ${decimalText(balance)} ${balance.currency}`,
    )
    const has_more = found.length > MOST
    if (has_more) lines.push('There are more: search for a longer text.')
    return { lines, data: { customers, has_more } }
  })
}

/** `customer show CUSTOMER`. */
export const show = (surroundings: CommandEnvironment, parameters: readonly string[]): Promise<Answer> =>
  withCustomer(surroundings, parameters, {}, async (app, { user_id }) => {
    const account = await accountReply(app, user_id)
    const { block: held, factor_reset, addresses, two_factor, sessions: open, merged_into: into } = account
    const lines = [
      `${user_id}: ${account.state}${held ? ` since ${held.at}: ${held.reason}` : ''}`,
      ...addresses.map(({ email, primary, proven }) =>
        [email, ...(primary ? ['primary'] : []), proven ? 'confirmed' : 'not confirmed'].join(', '),
      ),
      `Second factors: ${two_factor.join(', ') || 'none'}${factor_reset ? `, reset on ${factor_reset.due_at}` : ''}`,
      `Signed in on ${open.length} devices.`,
      ...(into ? [`Merged into ${into.id} ${into.email}.`] : []),
      ...account.merged_from.map(
        ({ id, email, merged_at }) => `${id} ${email} was merged into it on ${merged_at}.`,
      ),
    ]
    return { lines, data: { id: user_id, ...account } }
  })
