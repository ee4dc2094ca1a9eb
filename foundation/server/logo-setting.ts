import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { kind } from './setting-kinds.ts'

export type Logo = { type: string; bytes: Buffer; digest: string }

const types: Readonly<Record<string, string>> = {
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
}

const KEPT = 'data:image/png;base64,'

/** A logo as text, as it is kept for the whole installation. */
export const keptLogo = (base64: string): string => KEPT + base64

/** The longest logo that is kept, as text: a call has 64 kB. */
const LONGEST = 64_000

/** A picture: the path of a file, which is read at once, or what `keptLogo` made. */
export const logo = () =>
  kind(
    'is no file on this machine ending in .svg, .png or .webp. Set it to the path of your logo',
    (given) => {
      if (given.startsWith(KEPT)) return logoOf('image/png', Buffer.from(given.slice(KEPT.length), 'base64'))
      const type = types[path.extname(given).toLowerCase()]
      const isFile = fs.statSync(given, { throwIfNoEntry: false })?.isFile()
      return isFile && type !== undefined ? logoOf(type, fs.readFileSync(given)) : undefined
    },
    LONGEST,
  )

function logoOf(type: string, bytes: Buffer): Logo {
  return { type, bytes, digest: createHash('sha256').update(bytes).digest('hex').slice(0, 12) }
}
