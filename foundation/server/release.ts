import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The folder of the checkout or of the unpacked release. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

/** True in a release: its pages and texts are built, and nothing is written into its folder. */
export const isRelease = existsSync(`${root}release.json`)

/** The version of the program. */
export const programVersion = versionIn(JSON.parse(readFileSync(`${root}package.json`, 'utf8')))

function versionIn(manifest: unknown): string {
  const version: unknown = Reflect.get(Object(manifest), 'version')
  if (typeof version !== 'string') throw new Error('package.json names no version')
  return version
}
