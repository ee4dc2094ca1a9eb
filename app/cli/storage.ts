import { MOST_EXTRA_MB } from '#features/support/files/rules.ts'
import { setExtraStorage } from '#features/support/files/server/files.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { NotFound, WrongUse } from '#foundation/server/operator-errors.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'
import type { Options } from './options.ts'
import { withCustomer } from './with-customer.ts'

/** `customer storage CUSTOMER MEGABYTES`. Throws NotFound and WrongUse. */
export function storage(
  surroundings: CommandEnvironment,
  parameters: readonly string[],
  options: Options,
): Promise<Answer> {
  const extra_mb = Number(parameters[1])
  if (!/^\d{1,6}$/.test(parameters[1] ?? '') || extra_mb > MOST_EXTRA_MB)
    throw new WrongUse(`Name the megabytes to add, ${MOST_EXTRA_MB} at most.`)
  return withCustomer(surroundings, parameters, options, async (app, { user_id, reason: note }) => {
    const { most_bytes } = await setExtraStorage(app, {}, user_id, { extra_mb, note }).catch(
      (error: unknown) => {
        if (error instanceof HttpError)
          throw new NotFound(`There is no account ${user_id}. Nothing was changed.`)
        throw error
      },
    )
    return {
      lines: [`${user_id} may keep ${most_bytes / 1_000_000} MB of files.`],
      data: { id: user_id, most_bytes },
    }
  })
}
