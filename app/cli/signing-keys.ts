import { rotateKey, withdrawKey } from '#features/licences/server/signing-keys.ts'
import { NotFound } from '#foundation/server/operator-errors.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'
import { withApp } from './with-app.ts'

export const rotate = (surroundings: CommandEnvironment) =>
  withApp(surroundings, async (app): Promise<Answer> => {
    const key = await rotateKey(app)
    return { lines: [`Licence documents are signed with the key ${key} now.`], data: { key } }
  })

/** Withdraws a signing key. Throws NotFound if no key has this `kid`. */
export const withdraw = (surroundings: CommandEnvironment, kid: string) =>
  withApp(surroundings, async (app): Promise<Answer> => {
    if (!(await withdrawKey(app, kid))) throw new NotFound(`There is no signing key ${kid}.`)
    const line = `The key ${kid} is withdrawn. Agents fetch another licence document with their next check-in.`
    return { lines: [line], data: { key: kid } }
  })
