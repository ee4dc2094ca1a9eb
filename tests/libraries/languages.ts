import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'

type Language = {
  name: string
  /** The word behind the fence of its program in docs/vendors.md. */
  fence: string
  needs: readonly [command: string, ...args: string[]]
  runs: readonly [string, ...string[]]
  folder: string
}

export const compileCSharp = 'mcs -r:System.Numerics -r:System.Net.Http'

/** Surroundings of a compiler: a folder for what it makes, and the compiled crates of before. */
export const compilerEnvironment = (built: string): NodeJS.ProcessEnv => ({
  ...process.env,
  BUILT: built,
  CARGO_TARGET_DIR: path.resolve('node_modules/.cache/cargo'),
})

/** The libraries that judge a licence document, except the library for JavaScript, which agent/judge.test.ts tests. */
export const languages: readonly Language[] = [
  {
    name: 'Python',
    fence: 'python',
    needs: ['python3', '-c', 'import cryptography'],
    runs: ['python3', '-B', 'test_vectors.py'],
    folder: 'agent/libraries/python',
  },
  {
    name: 'Go',
    fence: 'go',
    needs: ['go', 'version'],
    runs: ['go', 'test', '-count=1', '-v', './...'],
    folder: 'agent/libraries/go',
  },
  {
    name: 'PHP',
    fence: 'php',
    needs: ['php', '-r', 'exit(extension_loaded("sodium") ? 0 : 1);'],
    runs: ['php', 'test_vectors.php'],
    folder: 'agent/libraries/php',
  },
  {
    name: 'Java',
    fence: 'java',
    needs: ['javac', '--version'],
    runs: ['sh', '-c', 'javac -d "$BUILT/java" *.java && exec java -cp "$BUILT/java" TestVectors'],
    folder: 'agent/libraries/java',
  },
  {
    name: 'C#',
    fence: 'csharp',
    needs: ['sh', '-c', `mono --version && ${compileCSharp} -target:library -out:/dev/null /dev/null`],
    runs: ['sh', '-c', `${compileCSharp} -out:"$BUILT/vectors.exe" *.cs && exec mono "$BUILT/vectors.exe"`],
    folder: 'agent/libraries/csharp',
  },
  {
    name: 'Rust',
    fence: 'rust',
    // The crates come from the registry once, and then need no network.
    needs: ['cargo', 'fetch', '--locked', '--quiet', '--manifest-path', 'agent/libraries/rust/Cargo.toml'],
    runs: ['cargo', 'run', '--locked', '--quiet'],
    folder: 'agent/libraries/rust',
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
  const built = mkdtempSync(path.join(tmpdir(), 'hostdesk-library-'))
  const env = {
    ...compilerEnvironment(built),
    ...(vectors !== undefined && { VECTORS: path.resolve(vectors) }),
  }
  const child = spawn(command, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'close')
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [status] = (await ended) as [number | null]
  rmSync(built, { recursive: true, force: true })
  const counted = /\d+ of \d+/.exec(stdout)?.[0] ?? ''
  return {
    passed: status === 0 && counted !== '',
    output: status === 0 ? counted : `${stdout}${stderr}${counted}`,
  }
}
