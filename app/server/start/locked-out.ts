import type { App } from '#foundation/server/app.ts'
import { ConfigError } from '#foundation/server/config-error.ts'
import { countByPasskeyAlone } from '#foundation/server/session/session.ts'

/** Throws ConfigError if passkeys are switched off while some account can be signed in to only with a passkey (auth contract D25). */
export async function assertNobodyLockedOut(app: App): Promise<void> {
  if (app.config.passkeys) return
  const count = await countByPasskeyAlone(app.db)
  if (count === 0) return
  throw new ConfigError([
    `PASSKEYS is off, and ${count} accounts could no longer be signed in to: a passkey is their only second factor, or their only way in. Set PASSKEYS=on until they have set up an authenticator app or removed the passkey.`,
  ])
}
