import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { PRESENT } from './former.ts'
import { ConfigError } from '#foundation/server/config-error.ts'
import { isRelease, root } from '#foundation/server/release.ts'
import { makeFolder } from '#foundation/server/make-folder.ts'

/**
 * The user of the PostgreSQL process. It is needed if this process is root, because PostgreSQL refuses to run as root. `undefined` means
 * the user of this process.
 */
export type Runner = { uid: number; gid: number } | undefined

/** The directories of one embedded PostgreSQL. All of them belong to its runner and are closed to everybody else. */
export type Directories = {
  runner: Runner
  base: string
  cluster: string
  sockets: string
  users: string
  log: string
}

const nobody = { uid: 65_534, gid: 65_534 }
// sun_path holds 107 bytes, and PostgreSQL appends "/.s.PGSQL.5432".
const longestSocketDirectory = 90

/** Makes the folders below `dataDir` (created when missing); throws ConfigError when PostgreSQL's user cannot enter. */
export function prepareDirectories(dataDir: string): Directories {
  makeFolder(dataDir, 0o755)
  const base = path.join(fs.realpathSync(dataDir), 'postgresql')
  const runner = chooseRunner(base)
  const closed = runner && closedFor(path.dirname(base), runner.uid)
  if (closed) {
    throw new ConfigError([
      `DATA_DIR: PostgreSQL does not run as root, and the user it runs as (uid ${runner.uid}) cannot enter ${closed}. ` +
        'Set DATA_DIR to a folder every user may enter, for example /var/lib/hostdesk.',
    ])
  }
  const inside = path.join(base, 'run')
  const sockets = inside.length <= longestSocketDirectory ? inside : shortSocketDirectory(base)
  ownFolder(base, runner)
  ownFolder(sockets, runner)
  return {
    runner,
    base,
    cluster: path.join(base, PRESENT),
    sockets,
    users: path.join(base, 'users'),
    log: path.join(base, 'postgresql.log'),
  }
}

/** Returns the first folder on the way down to `folder` that `uid` may not enter, or undefined. Missing folders count as open. */
export function closedFor(folder: string, uid: number): string | undefined {
  const parent = path.dirname(folder)
  const above = parent === folder ? undefined : closedFor(parent, uid)
  if (above) return above
  const stat = fs.statSync(folder, { throwIfNoEntry: false })
  if (!stat) return undefined
  return stat.mode & (stat.uid === uid ? 0o100 : 0o001) ? undefined : folder
}

const forRoot = '/var/lib/hostdesk'

/**
 * Returns the default DATA_DIR. In a checkout it is `.data`, or /var/lib/hostdesk for root if PostgreSQL's user cannot enter the checkout.
 * A new release is another folder, so the data of a release lies outside: in /var/lib/hostdesk for root, in the home folder for any other
 * user.
 */
export function defaultDataDir(): string {
  const asRoot = process.getuid?.() === 0
  if (!isRelease) return asRoot && closedFor(root, nobody.uid) ? forRoot : path.join(root, '.data')
  const home = process.env['HOME']
  return asRoot || !home ? forRoot : path.join(home, '.local/share/hostdesk')
}

/** Creates `folder` for the runner alone; refuses one that somebody else put there first (a squatter in /tmp). */
export function ownFolder(folder: string, runner: Runner): void {
  const uid = runner?.uid ?? process.getuid?.()
  if (!fs.existsSync(folder)) makeOwned(folder, runner)
  const stat = fs.lstatSync(folder)
  if (stat.isSymbolicLink() || !stat.isDirectory() || (uid !== undefined && stat.uid !== uid)) {
    throw new ConfigError([
      `DATA_DIR: ${folder} belongs to another user. Remove it, or set DATA_DIR to another folder.`,
    ])
  }
}

/**
 * Makes the folder under another name, and renames it when the runner owns it: a process that starts at the same moment must never find a
 * folder that root still owns.
 */
function makeOwned(folder: string, runner: Runner): void {
  fs.mkdirSync(path.dirname(folder), { recursive: true, mode: 0o700 })
  const made = fs.mkdtempSync(`${folder}-`)
  if (runner) fs.chownSync(made, runner.uid, runner.gid)
  try {
    fs.renameSync(made, folder)
  } catch (error) {
    fs.rmdirSync(made)
    // Another process made the folder first, and has begun to use it.
    if (!fs.existsSync(folder)) throw error
  }
}

function chooseRunner(base: string): Runner {
  if (process.getuid?.() !== 0) return undefined
  const owner = fs.statSync(base, { throwIfNoEntry: false })
  return owner && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : nobody
}

function shortSocketDirectory(base: string): string {
  return path.join('/tmp', `hostdesk-${createHash('sha256').update(base).digest('hex').slice(0, 16)}`)
}
