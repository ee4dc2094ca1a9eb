import { settings } from '#app/server/config.ts'
import { Secret } from '#foundation/server/secret.ts'
import type { Setting } from '#foundation/server/setting.ts'
import type { Answer } from './answer.ts'
import type { Command } from './command.ts'

export const settingsCommands: Record<string, Command> = {
  settings: {
    about: 'Prints every setting with its present value, its default and what it is for; secrets are hidden.',
    parameters: [],
    withDatabase: false,
    run: async () => listSettings(process.env),
  },
}

/** Lists all settings as they stand in `env`. */
export function listSettings(env: NodeJS.ProcessEnv): Answer {
  const listed = Object.entries<Setting>(settings).map(([name, { about, schema, fallback }]) => {
    const text = env[name] || undefined
    const value = text !== undefined && isSecret(schema, text) ? HIDDEN : (text ?? null)
    return { name, value, default: fallback ?? null, about }
  })
  return {
    lines: listed.flatMap(({ name, value, default: usual, about }) => [
      `${name}: ${value ?? (usual === null ? 'not set' : `${usual}, the default`)}`,
      `    ${about}${value === null || usual === null ? '' : ` Default: ${usual}.`}`,
    ]),
    data: { settings: listed },
  }
}

const HIDDEN = '[redacted]'

/** True if the setting is read into a `Secret`, alone or within a URL, or holds a password as URLs do. */
function isSecret(schema: Setting['schema'], text: string): boolean {
  if (/:\/\/[^/]*@/.test(text)) return true
  const { success, data } = schema.safeParse(text)
  return !success || holdsSecret(data)
}

const holdsSecret = (value: unknown): boolean =>
  value instanceof Secret ||
  (typeof value === 'object' && value !== null && Object.values(value).some(holdsSecret))
