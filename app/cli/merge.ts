import { byCommand } from '#features/customers/server/customers.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'
import type { Options } from './options.ts'
import { accountNamed, withCustomer } from './with-customer.ts'

/** `customer merge CUSTOMER INTO [--now]`. */
export const merge = (
  surroundings: CommandEnvironment,
  [customer = '', kept = '']: readonly string[],
  options: Options,
): Promise<Answer> =>
  withCustomer(surroundings, [customer], options, async (app, act) => {
    const into = await accountNamed(app, kept)
    const now = options['now'] === true
    const at = (await byCommand.mergeByCommand(app, act, { into, now })).toISOString()
    const { user_id: id } = act
    const line = now
      ? `The account ${id} is merged into ${into}.`
      : `The account ${id} is merged into ${into} on ${at}.`
    return { lines: [line], data: { id, into, done: now, at } }
  })

/** `customer unmerge CUSTOMER`. A merged account keeps its addresses. */
export const undo = (
  surroundings: CommandEnvironment,
  parameters: readonly string[],
  options: Options,
): Promise<Answer> =>
  withCustomer(surroundings, parameters, options, async (app, act) => {
    const { servers_left, balance_left } = await byCommand.unmergeByCommand(app, act)
    const lines = [
      `The account ${act.user_id} stands for itself again.`,
      ...servers_left.map((name) => `The server ${name} stays where it is.`),
      ...(balance_left ? ['The balance stays where it is, as a part of it is gone.'] : []),
    ]
    return { lines, data: { id: act.user_id, servers_left, balance_left } }
  })
