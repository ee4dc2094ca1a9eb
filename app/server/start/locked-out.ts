import type { App } from '#foundation/server/app.ts'
import { ConfigError } from '#foundation/server/config-error.ts'
import { countByPasskeyAlone } from '#foundation/server/session/session.ts'

/** Passkeys cannot be switched off while somebody has nothing else to come in with (D25). */
export async function assertNobodyLockedOut(app: App): Promise<void> {
  if (app.config.passkeys) return
  const count = await countByPasskeyAlone(app.db)
  if (count === 0) return
  throw new ConfigError([
    `PASSKEYS is off, and ${count} accounts could no longer be signed in to: a passkey is their only second factor, or their only way in. Set PASSKEYS=on until they have set up an authenticator app or removed the passkey.`,
  ])
}
