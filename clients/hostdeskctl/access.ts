import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { exitCodes } from '#foundation/exit-codes.ts'
import { Failure, WrongUse } from './failures.ts'
import { fieldIn, jsonIn, textIn } from './json.ts'

/** The installation that is asked, and the token that it is asked by. `agent` is how the program names itself. */
export type Access = { origin: string; token: string; agent: string }

type Environment = Readonly<Record<string, string | undefined>>

/** Returns the folder of what is kept between two commands. */
export function keptFolder(environment: Environment): string {
  const { HOSTDESKCTL_DIR: own, XDG_CONFIG_HOME: config, APPDATA: windows } = environment
  return own
    ? path.resolve(own)
    : path.join(config || windows || path.join(homedir(), '.config'), 'hostdeskctl')
}

/** Returns the path of the file with the token. */
export const accessFile = (environment: Environment): string =>
  path.join(keptFolder(environment), 'access.json')

/**
 * Returns what `login` has kept, or what the environment says (HOSTDESK_TOKEN, for a job that has no home). Throws Failure if nobody has
 * signed in, or if other users of the machine may read the token.
 */
export function findAccess(environment: Environment, agent: string): Access {
  const { HOSTDESK_TOKEN: token, HOSTDESK_URL: origin } = environment
  if (token && origin) return { origin: originIn(origin), token: token.trim(), agent }
  if (token)
    throw new WrongUse('HOSTDESK_TOKEN needs HOSTDESK_URL beside it, such as https://account.example.com.')
  const kept = keptAccess(environment)
  if (!kept) throw new Failure('Nobody is signed in here. Run: hostdeskctl login', exitCodes.refused)
  return { ...kept, agent }
}

/** Returns what the file holds; undefined without a file. */
export function keptAccess(environment: Environment): { origin: string; token: string } | undefined {
  const file = accessFile(environment)
  const text = readKept(file)
  if (text === undefined) return undefined
  if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0)
    throw new Failure(`Others may read the token in ${file}. Run: chmod 600 '${file}'`, exitCodes.refused)
  const kept = jsonIn(text)
  const [origin, token] = [textIn(kept, 'origin'), textIn(kept, 'token')]
  if (origin === undefined || token === undefined)
    throw new Failure(`${file} cannot be read. Run: hostdeskctl login`, exitCodes.failed)
  return { origin: originIn(origin), token }
}

/** Keeps an origin and a token for the next commands. */
export const keepAccess = (
  environment: Environment,
  { origin, token }: { origin: string; token: string },
): void => keepPrivately(accessFile(environment), `${JSON.stringify({ origin, token })}\n`)

/** Forgets the token. Returns false if there was none. */
export function forgetAccess(environment: Environment): boolean {
  const file = accessFile(environment)
  const isThere = readKept(file) !== undefined
  rmSync(file, { force: true })
  return isThere
}

/** Writes a file that nobody else can read at any moment, in one step. */
export function keepPrivately(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  const next = `${file}.${process.pid}`
  rmSync(next, { force: true })
  writeFileSync(next, text, { mode: 0o600, flag: 'wx' })
  chmodSync(next, 0o600)
  renameSync(next, file)
}

/** Returns the text of a kept file; undefined if it is not there. */
export function readKept(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (fieldIn(error, 'code') === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Returns the origin of an address as it was typed: https://account.example.com. Plain HTTP is for this machine only, as everybody on
 * the way could read the token. Throws WrongUse.
 */
export function originIn(typed: string): string {
  const text = typed.trim()
  const address = /^[a-z]+:\/\//i.test(text) ? text : `https://${text}`
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url || url.username !== '' || !/^https?:$/.test(url.protocol))
    throw new WrongUse(`'${text}' is no address of an account area, such as https://account.example.com.`)
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url.protocol === 'http:' && !isHere)
    throw new WrongUse(`${url.origin} is no https:// address: everybody on the way could read the token.`)
  return url.origin
}
