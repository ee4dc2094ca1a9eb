import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import * as z from 'zod/mini'

export type Release = { version: string; archives: string[]; folder: string }

/** Returns the archives of the last commit. Builds them only if release/ does not hold them; a commit always gives the same bytes. */
export function builtRelease(): Release {
  const head = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim()
  if (builtFrom() !== head)
    execFileSync(process.execPath, ['tools/release/run.ts', process.arch], { stdio: 'inherit' })
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync('package.json', 'utf8')))
  return { version, archives: archives(), folder: path.resolve('release') }
}

const archives = () => globSync(`release/*-linux-${process.arch}.tar.gz`).map((file) => path.resolve(file))

/** Returns the commit of the archives in release/; undefined if they are not all there. */
function builtFrom(): string | undefined {
  const [product] = archives().filter((file) => !file.includes('-postgresql-'))
  if (product === undefined || archives().length < 2 || !existsSync('release/SHA256SUMS')) return undefined
  const said = execFileSync(
    'tar',
    ['-xzOf', product, '--wildcards', '--no-wildcards-match-slash', '*/release.json'],
    {
      encoding: 'utf8',
    },
  )
  return z.object({ commit: z.string() }).parse(JSON.parse(said)).commit
}
