import { spawnSync } from 'node:child_process'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const asked = {
  npm: ['--version'],
  java: ['-version'],
  mvn: ['-version'],
  go: ['version'],
  python3: ['-c', 'import venv, ensurepip'],
} satisfies Record<string, readonly string[]>

export type Tool = keyof typeof asked

export const isInstalled = (tool: Tool): boolean =>
  spawnSync(tool, asked[tool], { stdio: 'ignore' }).status === 0

const run = promisify(execFile)

/** The most that is waited for one command: maven and go fetch packages in their first run, and javac reads a thousand classes on a busy machine. */
const MOST_MS = 40 * 60_000
/** The end of an output that tells why a command failed. */
const TOLD = 3_000

/** Runs a command to its end and returns its output. Throws with the end of what it said where it fails. */
export async function done(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  try {
    const options = { cwd, env: { ...process.env, ...env }, timeout: MOST_MS, maxBuffer: 1 << 28 }
    const { stdout } = await run(command, args, options)
    return stdout
  } catch (error) {
    const {
      stdout = '',
      stderr = '',
      killed,
    } = error as { stdout?: string; stderr?: string; killed?: boolean }
    const late = killed === true ? 'took too long. ' : ''
    throw new Error(
      `${command} ${args[0] ?? ''}: ${late}${`${stdout}${stderr}`.slice(-TOLD) || String(error)}`,
      {
        cause: error,
      },
    )
  }
}
