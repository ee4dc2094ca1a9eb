import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import path from 'node:path'

/** The folder of the examples of the guide (docs/api). */
export const folder = path.join(import.meta.dirname, '../../docs/api/snippets')

export const snippets = readdirSync(folder).toSorted()

type Language = { name: string; needs: readonly [string, ...string[]]; runs: readonly [string, ...string[]] }

/** The languages of the examples by the ending of their files. The first two are on each machine that runs the tests. */
export const languages: Readonly<Record<string, Language>> = {
  sh: { name: 'curl', needs: ['curl', '--version'], runs: ['sh'] },
  ts: { name: 'TypeScript', needs: [process.execPath, '--version'], runs: [process.execPath] },
  py: { name: 'Python', needs: ['python3', '--version'], runs: ['python3', '-B'] },
  go: { name: 'Go', needs: ['go', 'version'], runs: ['go', 'run'] },
}

const known = new Map<string, boolean>()

/** True if the machine can run files with this ending. */
export function isInstalled(ending: string): boolean {
  const [command = '', ...args] = languages[ending]?.needs ?? []
  const isThere = known.get(ending) ?? spawnSync(command, args, { stdio: 'ignore' }).status === 0
  known.set(ending, isThere)
  return isThere
}

export const endingOf = (file: string): string => path.extname(file).slice(1)

type Run = {
  env: Record<string, string>
  cwd: string
  args?: string[]
  until?: RegExp
  said?: (output: string) => void
}

/** Runs an example as its reader would. It is ended once its output has what `until` says, if it would go on. */
export async function runSnippet(file: string, { env, cwd, args = [], until, said }: Run) {
  const [command = '', ...flags] = languages[endingOf(file)]?.runs ?? []
  const child = spawn(command, [...flags, path.join(folder, file), ...args], {
    cwd,
    env: { ...process.env, NODE_NO_WARNINGS: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  let isEnough = false
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => {
      output += text.toString()
      said?.(output)
      if (isEnough || !until?.test(output)) return
      isEnough = true
      // A shell's children go with it.
      if (child.pid !== undefined) process.kill(-child.pid)
    })
  const [status] = (await once(child, 'close')) as [number | null]
  return { passed: status === 0 || isEnough, output }
}
