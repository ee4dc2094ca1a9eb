import { beginHold, endHold, presentHolds } from '#features/operations/server/operations.ts'
import { isDay } from '#foundation/fields.ts'
import { NotFound, WrongUse } from '#foundation/server/operator-errors.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'
import type { Options } from './options.ts'
import { withApp } from './with-app.ts'

/** `hold begin FROM TO --reason TEXT`. */
export async function begin(
  surroundings: CommandEnvironment,
  [first_day = '', last_day = '']: readonly string[],
  { reason }: Options,
): Promise<Answer> {
  if (!isWrittenDay(first_day) || !isWrittenDay(last_day) || last_day < first_day)
    throw new WrongUse('FROM and TO are days such as 2024-01-01, and TO is not before FROM.')
  if (typeof reason !== 'string' || reason.trim() === '' || reason.length > 400)
    throw new WrongUse('Say the reason, with up to 400 characters: --reason TEXT')
  return withApp(surroundings, async (app) => {
    const hold = await beginHold(app, { first_day, last_day, reason: reason.trim() })
    return {
      lines: [
        `Hold ${hold.id} stands: nothing from ${first_day} to ${last_day} is erased. End it: hold end ${hold.id}`,
      ],
      data: hold,
    }
  })
}

/** `hold end ID`. Throws NotFound if no such hold stands. */
export const end = (surroundings: CommandEnvironment, id: string): Promise<Answer> =>
  withApp(surroundings, async (app) => {
    const hold = /^\d{1,9}$/.test(id) ? await endHold(app, Number(id)) : undefined
    if (!hold) throw new NotFound(`No hold is number '${id}'. Run: hold list`)
    return { lines: [`Hold ${hold.id} has ended. What is due is erased within a day.`], data: hold }
  })

/** `hold list`. */
export const list = (surroundings: CommandEnvironment): Promise<Answer> =>
  withApp(surroundings, async (app) => {
    const holds = await presentHolds(app)
    const lines = holds.map(
      ({ id, first_day, last_day, reason }) => `${id}  ${first_day} to ${last_day}  ${reason}`,
    )
    return { lines: lines.length > 0 ? lines : ['None stands.'], data: { holds } }
  })

const isWrittenDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && isDay(text)
