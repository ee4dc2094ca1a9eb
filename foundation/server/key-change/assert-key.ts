import type { App } from '#foundation/server/app.ts'
import { ConfigError } from '#foundation/server/config-error.ts'
import { withConnection } from '#foundation/server/database/with-connection.ts'
import { keepFirstKey, knownKeys } from './queries.ts'

/**
 * Throws ConfigError for a SECRET_KEY that is not the key of this database: sealed values could not be opened, second factors would fail,
 * and new values would be lost to the right key. The first start keeps the fingerprint. Returns true if everything still has to be sealed
 * again, because the key of the database is SECRET_KEY_OLD.
 */
export async function assertKey(app: Pick<App, 'keys' | 'ownerUrl'>): Promise<boolean> {
  const { keys } = app
  const present = await inspectKey(app)
  if (present === keys.fingerprint) return false
  if (present !== undefined && present === keys.former?.fingerprint) return true
  if (present !== undefined) throw new ConfigError([keyRefused(keys.fingerprint, present)])
  await withConnection(app.ownerUrl, (client) => keepFirstKey(client, keys.fingerprint))
  return (await inspectKey(app)) !== keys.fingerprint
}

/** The fingerprint of the database's key; undefined before the first start. */
const inspectKey = ({ ownerUrl }: Pick<App, 'ownerUrl'>): Promise<string | undefined> =>
  withConnection(
    ownerUrl,
    async (client) => (await knownKeys(client)).find(({ retired }) => !retired)?.fingerprint,
  )

export const keyRefused = (ours: string, present: string): string =>
  `SECRET_KEY is not the key of this database: its fingerprint is ${ours}, and the database's ${present}. Set SECRET_KEY to the former key; to change the key, set the former one as SECRET_KEY_OLD and run: hostdesk keys reseal`
