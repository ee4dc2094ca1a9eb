import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import type { Directories } from './directories.ts'

/**
 * Writes who may connect to the embedded PostgreSQL: over its socket, the user that it runs as and root, as the kernel identifies them;
 * nobody else, and nobody over a network. The files are written before each start, so that a new cluster and one that somebody has opened
 * by hand are closed too.
 */
export function writeAccess(place: Directories): void {
  const users = [...new Set([runnerName(place), 'root'])]
  write(place, 'pg_hba.conf', ['local all all peer map=hostdesk', 'host all all all reject'])
  write(
    place,
    'pg_ident.conf',
    users.flatMap((user) => ROLES.map((role) => `hostdesk "${user}" ${role}`)),
  )
}

// PostgreSQL before 16, which an upgrade starts once more, reads `all` as a name like any other.
const ROLES = ['all', 'postgres', 'hostdesk']

/** The name of PostgreSQL's user in the operating system; initdb demands that the user has one. */
const runnerName = ({ runner }: Directories): string =>
  execFileSync('id', ['-un'], { ...runner, cwd: '/', encoding: 'utf8' }).trim()

/** Writes a file aside and renames it into its place, so that a start at the same time reads the whole file. */
function write({ cluster, runner }: Directories, name: string, lines: string[]): void {
  const file = path.join(cluster, name)
  const text = `# Written by Hostdesk at each start.\n${lines.join('\n')}\n`
  if (fs.readFileSync(file, 'utf8') === text) return
  const fresh = `${file}.${process.pid}`
  fs.writeFileSync(fresh, text, { mode: 0o600 })
  if (runner) fs.chownSync(fresh, runner.uid, runner.gid)
  fs.renameSync(fresh, file)
}
