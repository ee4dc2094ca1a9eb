import {
  accountReply,
  byCommand,
  eraseByCommand,
  exportByCommand,
  resetNow,
} from '#features/customers/server/customers.ts'
import { causes, readSearch, type Level } from '#features/customers/rules.ts'
import { zipOf } from '#features/profile/server/profile.ts'
import { canonicalEmail } from '#foundation/email-address.ts'
import type { App } from '#foundation/server/app.ts'
import { NotFound, WrongUse } from '#foundation/server/operator-errors.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'
import { inNewFile } from './new-file.ts'
import type { Options } from './options.ts'
import { withCustomer } from './with-customer.ts'

/** `customer block`, `lock` and `unblock`. */
export const block = (
  surroundings: CommandEnvironment,
  level: Level,
  parameters: readonly string[],
  options: Options,
): Promise<Answer> =>
  withCustomer(surroundings, parameters, options, async (app, act) => {
    const message = typeof options['message'] === 'string' ? options['message'] : ''
    const wanted = options['cause'] ?? 'terms'
    const cause = causes.find((known) => known === wanted)
    if (!cause) throw new WrongUse(`--cause is one of ${causes.join(', ')}.`)
    await byCommand.blockByCommand(app, act, { level, cause, message })
    const state = level === 'none' ? 'open' : level
    return { lines: [`${act.user_id} is ${state} now.`], data: { id: act.user_id, state } }
  })

/** `customer sessions CUSTOMER [--end]`. */
export const sessions = (
  surroundings: CommandEnvironment,
  parameters: readonly string[],
  options: Options,
): Promise<Answer> =>
  withCustomer(surroundings, parameters, options, async (app, act) => {
    if (options['end'] === true) {
      const ended = await byCommand.signOutByCommand(app, act)
      return { lines: [`Signed out on ${ended} devices.`], data: { id: act.user_id, ended } }
    }
    const { sessions: open } = await accountReply(app, act.user_id)
    const lines = open.map(
      ({ ip, user_agent, created_at, last_seen_at }) =>
        `${ip}, since ${created_at}, last seen ${last_seen_at}: ${user_agent}`,
    )
    return {
      lines: lines.length > 0 ? lines : ['Not signed in anywhere.'],
      data: { id: act.user_id, sessions: open },
    }
  })

/** `customer reset-2fa CUSTOMER [--now]`. */
export const resetFactor = (
  surroundings: CommandEnvironment,
  parameters: readonly string[],
  options: Options,
): Promise<Answer> =>
  withCustomer(surroundings, parameters, options, (app, act) => resetFactorOf(app, act, options))

/** Removes the second factors of a customer after STAFF_RESET_WAIT_H, or at once with `--now`. */
export async function resetFactorOf(
  app: App,
  act: { user_id: string; reason: string },
  options: Options,
): Promise<Answer> {
  const { user_id: id } = act
  if (options['now'] === true) {
    await resetNow(app, id, act.reason)
    return { lines: [`The second factors of ${id} are gone.`], data: { id, done: true } }
  }
  const due_at = (await byCommand.requestResetByCommand(app, act)).due_at.toISOString()
  return { lines: [`The second factors of ${id} go on ${due_at}.`], data: { id, done: false, due_at } }
}

/** `customer confirm-address ID ADDRESS`. Only the id names the account: an unconfirmed address may be somebody else's (rule 36). */
export async function confirmAddress(
  surroundings: CommandEnvironment,
  [id = '', address = '']: readonly string[],
  options: Options,
): Promise<Answer> {
  if (readSearch(id).kind !== 'account') throw new WrongUse(`'${id}' is no id of an account.`)
  return await withCustomer(surroundings, [id], options, async (app, act) => {
    const email = canonicalEmail(address.trim()) ?? ''
    if (!(await byCommand.confirmByCommand(app, email, act)))
      throw new NotFound(`The account ${id} names no address '${address}'.`)
    return { lines: [`${email} is confirmed for ${id}.`], data: { id, email } }
  })
}

/** `customer export CUSTOMER FILE`. Only the user who runs the command can read the file. An existing file is not overwritten. */
export const exportTo = (
  surroundings: CommandEnvironment,
  [customer = '', file = '']: readonly string[],
  options: Options,
): Promise<Answer> =>
  withCustomer(surroundings, [customer], options, (app, { user_id, reason }) =>
    inNewFile(file, async (target) => {
      await target.writeFile(zipOf(await exportByCommand(app, user_id, reason)))
      return { lines: [`Wrote everything about ${user_id} to ${file}.`], data: { id: user_id, file } }
    }),
  )

/** `customer erase CUSTOMER --yes`. */
export async function erase(
  surroundings: CommandEnvironment,
  parameters: readonly string[],
  options: Options,
): Promise<Answer> {
  if (options['yes'] !== true) throw new WrongUse('Nothing brings a deleted account back. Add --yes.')
  return await withCustomer(surroundings, parameters, options, async (app, { user_id, reason }) => {
    await eraseByCommand(app, user_id, reason)
    return { lines: [`The account ${user_id} is deleted.`], data: { id: user_id } }
  })
}
