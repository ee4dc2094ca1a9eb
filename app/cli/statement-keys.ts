import { rotateKey, withdrawKey } from '#features/statements/server/statements.ts'
import { NotFound } from '#foundation/server/operator-errors.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'
import { withApp } from './with-app.ts'

export const rotate = (surroundings: CommandEnvironment) =>
  withApp(surroundings, async (app): Promise<Answer> => {
    const key = await rotateKey(app)
    return { lines: [`Statements are signed with the key ${key} now.`], data: { key } }
  })

/** Withdraws a key of statements. Throws NotFound if no key has this `kid`. */
export const withdraw = (surroundings: CommandEnvironment, kid: string) =>
  withApp(surroundings, async (app): Promise<Answer> => {
    if (!(await withdrawKey(app, kid))) throw new NotFound(`There is no key of statements ${kid}.`)
    const line = `The key ${kid} is withdrawn, and the roots that it signed are signed by another key.`
    return { lines: [line], data: { key: kid } }
  })
