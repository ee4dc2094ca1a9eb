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
  /** Runs the program that asks an installation, after `runs`. */
  asks: readonly [string, ...string[]]
  folder: string
}

const compileJava = 'javac -encoding UTF-8 -d "$BUILT/java" *.java'
const runCSharp = (main: string) =>
  `${compileCSharp} -main:${main} -out:"$BUILT/test.exe" *.cs && exec mono "$BUILT/test.exe"`
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
    asks: ['python3', '-B', 'test_online.py'],
    folder: 'agent/libraries/python',
  },
  {
    name: 'Go',
    fence: 'go',
    needs: ['go', 'version'],
    runs: ['go', 'test', '-count=1', '-v', './...'],
    asks: ['go', 'test', '-count=1', '-v', '-run', 'TestOnline', './...'],
    folder: 'agent/libraries/go',
  },
  {
    name: 'PHP',
    fence: 'php',
    needs: ['php', '-r', 'exit(extension_loaded("sodium") ? 0 : 1);'],
    runs: ['php', 'test_vectors.php'],
    asks: ['php', 'test_online.php'],
    folder: 'agent/libraries/php',
  },
  {
    name: 'Java',
    fence: 'java',
    needs: ['javac', '--version'],
    runs: ['sh', '-c', `${compileJava} && exec java -cp "$BUILT/java" TestVectors`],
    asks: ['sh', '-c', `${compileJava} && exec java -cp "$BUILT/java" TestOnline`],
    folder: 'agent/libraries/java',
  },
  {
    name: 'C#',
    fence: 'csharp',
    needs: [
      'sh',
      '-c',
      'mono --version && ls "$(dirname "$(command -v mcs)")/../lib/mono/4.5/System.Net.Http.dll"',
    ],
    runs: ['sh', '-c', runCSharp('TestVectors')],
    asks: ['sh', '-c', runCSharp('TestOnline')],
    folder: 'agent/libraries/csharp',
  },
  {
    name: 'Rust',
    fence: 'rust',
    // The crates come from the registry once, and then need no network.
    needs: ['cargo', 'fetch', '--locked', '--quiet', '--manifest-path', 'agent/libraries/rust/Cargo.toml'],
    runs: ['cargo', 'run', '--locked', '--quiet'],
    asks: ['cargo', 'run', '--locked', '--quiet', '--bin', 'test_online'],
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
  { runs, folder }: Language,
  vectors?: string,
): Promise<{ passed: boolean; output: string }> {
  const settings = vectors === undefined ? {} : { VECTORS: path.resolve(vectors) }
  const { status, stdout, stderr } = await run(runs, folder, settings)
  const counted = /\d+ of \d+/.exec(stdout)?.[0] ?? ''
  return {
    passed: status === 0 && counted !== '',
    output: status === 0 ? counted : `${stdout}${stderr}${counted}`,
  }
}

/** Runs the program of a language that asks an installation by its online part; returns the lines that it prints, or its errors. */
export async function runOnline(
  { asks, folder }: Language,
  settings: Record<string, string>,
): Promise<string[]> {
  const { status, stdout, stderr } = await run(asks, folder, settings)
  if (status !== 0) return [`${stdout}${stderr}`]
  return stdout.split('\n').filter((line) => /^(valid|too_many|unknown_key|true|false)/i.test(line))
}

async function run(
  [command, ...args]: Language['runs'],
  folder: string,
  settings: Record<string, string>,
): Promise<{ status: number | null; stdout: string; stderr: string }> {
  const built = mkdtempSync(path.join(tmpdir(), 'hostdesk-library-'))
  const env = { ...compilerEnvironment(built), ...settings }
  const child = spawn(command, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'close')
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [status] = (await ended) as [number | null]
  rmSync(built, { recursive: true, force: true })
  return { status, stdout, stderr }
}
