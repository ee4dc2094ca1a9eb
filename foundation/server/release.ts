import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The folder of the checkout or of the unpacked release. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

/** True in a release: its pages and texts are built, and nothing is written into its folder. */
export const isRelease = existsSync(`${root}release.json`)
