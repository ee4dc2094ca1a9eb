// `npm run packages`: newer versions, known vulnerabilities, and the licences of what a production install has.
import { spawnSync } from 'node:child_process'
import * as z from 'zod/mini'
import { readJson } from './read-json.ts'

process.stdout.write('── newer versions ──\n')
npm('outdated')
process.stdout.write('\n── known vulnerabilities in production packages ──\n')
const safe = npm('audit', '--omit=dev')
process.stdout.write('\n── licences of production packages ──\n')
const locked = z.object({ dev: z.optional(z.boolean()), license: z.optional(z.string()) })
const lock = readJson('package-lock.json', z.object({ packages: z.record(z.string(), locked) }))
const production = Object.entries(lock.packages).filter(([folder, { dev = false }]) => folder && !dev)
const byLicence = Map.groupBy(production, ([, { license = 'none stated' }]) => license)
for (const [licence, packages] of [...byLicence].toSorted(
  ([, one], [, other]) => other.length - one.length,
)) {
  const names = packages.map(([folder]) => folder.replace(/^.*node_modules\//, ''))
  process.stdout.write(`${licence}: ${names.length}${names.length > 5 ? '' : ` (${names.join(', ')})`}\n`)
}
process.exitCode = safe ? 0 : 1

function npm(...command: string[]): boolean {
  return spawnSync('npm', command, { stdio: ['ignore', 'inherit', 'inherit'] }).status === 0
}
