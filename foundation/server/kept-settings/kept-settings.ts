import type { Kysely } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import type { Config, Kept } from '#foundation/server/config.ts'
import type { Database } from '#foundation/server/database/tables.ts'
import { isUnavailable } from '#foundation/server/database/unavailable.ts'
import { countVersions, presentVersions, type KeptVersion } from './queries.ts'

export { insertVersion, newestVersions, presentVersions, settingsOf, type KeptVersion } from './queries.ts'

/**
 * Reads the settings that are kept in the database into the configuration that the whole process holds: they win over the environment. Throws
 * ConfigError if they do not go together with it.
 */
export async function takeKeptSettings(config: Config, db: Kysely<Database>): Promise<void> {
  const versions = await presentVersions(db)
  if (versions.length > 0) takeInto(config, config.rereadWith(allOf(versions)))
}

/** Returns what all sections keep. */
export const allOf = (versions: readonly Pick<KeptVersion, 'settings'>[]): Kept =>
  Object.fromEntries(versions.flatMap(({ settings }) => Object.entries(settings)))

/** Parts that are objects keep their identity: others hold them. */
function takeInto(config: object, fresh: object): void {
  for (const [name, value] of Object.entries(fresh) as [string, unknown][]) {
    const held: unknown = Reflect.get(config, name)
    if (isPlain(held) && isPlain(value)) Object.assign(held, value)
    else Reflect.set(config, name, value)
  }
}

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/**
 * Looks once a second for what other processes have kept, until it is stopped. Settings that do not go together with this environment are
 * logged, and what stood before stays.
 */
export function followKeptSettings(app: App, every_ms = 1000): () => void {
  let known = -1
  let isLooking = false
  const look = async () => {
    const count = await countVersions(app.db)
    if (count === known) return
    known = count
    await takeKeptSettings(app.config, app.db)
  }
  const timer = setInterval(() => {
    if (isLooking) return
    isLooking = true
    look()
      .catch((error: unknown) => {
        // The health check tells of a database that is away; once it is back, what was kept is read.
        if (isUnavailable(error)) known = -1
        else app.log.warn({ err: error }, 'kept settings could not be taken')
      })
      .finally(() => (isLooking = false))
  }, every_ms)
  timer.unref()
  return () => clearInterval(timer)
}
