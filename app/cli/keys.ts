import { sealed } from '#app/server/features.ts'
import { resealAll } from '#foundation/server/key-change/reseal.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'
import { withApp } from './with-app.ts'

/** Seals anew, with SECRET_KEY, everything that SECRET_KEY_OLD sealed. */
export const reseal = (environment: CommandEnvironment) =>
  withApp(environment, async (app): Promise<Answer> => {
    const kinds = await resealAll(app, sealed)
    const { fingerprint } = app.keys
    return {
      lines: [
        ...kinds.map(({ what, rows }) => `${what}: ${rows} sealed anew`),
        `The database's key is ${fingerprint} now. Remove SECRET_KEY_OLD and restart all processes.`,
      ],
      data: { fingerprint, resealed: Object.fromEntries(kinds.map(({ what, rows }) => [what, rows])) },
    }
  })
