import { endTokenForOperator, tokensOf } from '#features/sharing/server/sharing.ts'
import { NotFound } from '#foundation/server/operator-errors.ts'
import { isUuid } from '#foundation/uuid.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'
import type { Options } from './options.ts'
import { reasonIn } from './reason.ts'
import { withApp } from './with-app.ts'
import { withCustomer } from './with-customer.ts'

/** `token list CUSTOMER`. */
export const list = (surroundings: CommandEnvironment, named: readonly string[]): Promise<Answer> =>
  withCustomer(surroundings, named, {}, async (app, { user_id }) => {
    const tokens = (await tokensOf(app.db, user_id)).map(({ id, name, role, ends_at, last_used_at }) => ({
      id,
      name,
      role,
      ends_at: ends_at.toISOString(),
      last_used_at: last_used_at?.toISOString() ?? null,
    }))
    const lines = tokens.map(
      ({ id, name, role, ends_at, last_used_at }) =>
        `${id}  ${role}  used ${last_used_at ?? 'never'}  ends ${ends_at}  ${name}`,
    )
    return { lines: lines.length > 0 ? lines : ['No token acts for this account.'], data: { tokens } }
  })

/** `token end ID --reason TEXT`. Throws NotFound where no token lives by this id. */
export async function end(
  surroundings: CommandEnvironment,
  [id = '']: readonly string[],
  options: Options,
): Promise<Answer> {
  const reason = reasonIn(options)
  return withApp(surroundings, async (app) => {
    if (!isUuid(id) || !(await endTokenForOperator(app, id, reason)))
      throw new NotFound(`No token lives by the id '${id}'. Run: token list CUSTOMER`)
    return { lines: [`Token ${id} has ended, and its owner is mailed.`], data: { id } }
  })
}
