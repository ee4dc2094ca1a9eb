import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { text } from 'node:stream/consumers'

type Language = {
  name: string
  needs: readonly [command: string, ...args: string[]]
  runs: readonly [string, ...string[]]
  folder: string
}

/** The libraries that judge a licence document, except the library for JavaScript, which agent/judge.test.ts tests. */
export const languages: readonly Language[] = [
  {
    name: 'Python',
    needs: ['python3', '-c', 'import cryptography'],
    runs: ['python3', '-B', 'test_vectors.py'],
    folder: 'agent/libraries/python',
  },
  {
    name: 'Go',
    needs: ['go', 'version'],
    runs: ['go', 'test', '-count=1', '-v', './...'],
    folder: 'agent/libraries/go',
  },
  {
    name: 'PHP',
    needs: ['php', '-r', 'exit(extension_loaded("sodium") ? 0 : 1);'],
    runs: ['php', 'test_vectors.php'],
    folder: 'agent/libraries/php',
  },
]

export const isInstalled = ({ needs: [command, ...args] }: Language): boolean =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0

/**
 * Runs the shared cases, or the cases of another file. `passed` is true if all answers are right; `output` is `7 of 7`, for example, and
 * contains the wrong answers if there are any.
 */
export async function runCases(
  { runs: [command, ...args], folder }: Language,
  vectors?: string,
): Promise<{ passed: boolean; output: string }> {
  const env = { ...process.env, ...(vectors !== undefined && { VECTORS: path.resolve(vectors) }) }
  const child = spawn(command, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'close')
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [status] = (await ended) as [number | null]
  const counted = /\d+ of \d+/.exec(stdout)?.[0] ?? ''
  return {
    passed: status === 0 && counted !== '',
    output: status === 0 ? counted : `${stdout}${stderr}${counted}`,
  }
}
