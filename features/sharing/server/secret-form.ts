import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { TOKEN_PREFIX } from '#foundation/server/programs.ts'

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM = 40
const CHECK = 6
/** The bytes below this number fall on each letter equally often. */
const FAIR = 248

const FORM = new RegExp(`^${TOKEN_PREFIX}([0-9A-Za-z]{${RANDOM}})([0-9A-Za-z]{${CHECK}})$`, 'u')

/** Makes the secret of a token: the prefix, 40 random letters (238 bits), and 6 letters of their CRC-32. */
export function newSecret(): string {
  let random = ''
  while (random.length < RANDOM)
    random += [...randomBytes(RANDOM)]
      .map((byte) => (byte < FAIR ? LETTERS[byte % LETTERS.length] : ''))
      .join('')
  random = random.slice(0, RANDOM)
  return TOKEN_PREFIX + random + checkOf(random)
}

/** True for a text that may be a secret. A mistyped one is none, which costs no query. */
export function isSecret(text: string): boolean {
  const [, random, check] = FORM.exec(text) ?? []
  return random !== undefined && check === checkOf(random)
}

/** The part of a secret by which its owner knows it again. */
export const hintOf = (secret: string): string => `${TOKEN_PREFIX}…${secret.slice(-4)}`

function checkOf(random: string): string {
  let rest = crc32(random)
  let check = ''
  for (let place = 0; place < CHECK; place += 1) {
    check = (LETTERS[rest % LETTERS.length] ?? '') + check
    rest = Math.floor(rest / LETTERS.length)
  }
  return check
}
