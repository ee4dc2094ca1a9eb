import { rotateKey, withdrawKey } from '#features/licences/server/signing-keys.ts'
import type { CommandEnvironment } from './environment.ts'
import { withApp } from './with-app.ts'

export const rotate = (surroundings: CommandEnvironment) =>
  withApp(surroundings, async (app) => {
    process.stdout.write(`Licence documents are signed with the key ${await rotateKey(app)} now.\n`)
  })

/** Throws Error for a key that is unknown. */
export const withdraw = (surroundings: CommandEnvironment, kid: string) =>
  withApp(surroundings, async (app) => {
    if (!(await withdrawKey(app, kid))) throw new Error(`There is no signing key ${kid}.`)
    process.stdout.write(
      `The key ${kid} is withdrawn. Agents fetch another licence document with their next check-in.\n`,
    )
  })
