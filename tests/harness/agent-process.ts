import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** The agent as it runs on a customer's machine: a process of its own, on any Node, with its own settings and folder. */
export type AgentProcess = {
  /** The path of the folder in which the agent keeps the licence. */
  folder: string
  config: string
  /** Returns every line so far of the output and the error stream. */
  lines(): string[]
  /** Waits for the `count`th line (by default the first) that matches. */
  said(pattern: RegExp, count?: number): Promise<void>
  /** Sends the signal, SIGTERM by default. Resolves with the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
  ended: Promise<number | null>
}

/** Four bad answers in a row take the agent up to 15 s, as it waits longer after each. */
const PATIENCE_MS = 50_000

export function startAgent(
  node: string,
  settings: object,
  environment: Record<string, string> = {},
): AgentProcess {
  const folder = mkdtempSync(path.join(tmpdir(), 'hostdesk-agent-'))
  const config = path.join(folder, 'hostdesk-agent.json')
  writeFileSync(config, JSON.stringify(settings))
  chmodSync(config, 0o600)
  const child = spawn(node, ['agent/hostdesk-agent.mjs', '--config', config], {
    env: { HOSTDESK_STATE: folder, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const lines = () => output.split('\n').filter(Boolean)
  const ended = new Promise<number | null>((resolve) =>
    child.once('close', (code) => {
      rmSync(folder, { recursive: true, force: true })
      resolve(code)
    }),
  )
  return {
    folder,
    config,
    lines,
    async said(pattern, count = 1) {
      const deadline = performance.now() + PATIENCE_MS
      while (lines().filter((line) => pattern.test(line)).length < count) {
        if (performance.now() > deadline) throw new Error(`It never said ${String(pattern)}:\n${output}`)
        await sleep(20)
      }
    },
    async stop(signal = 'SIGTERM') {
      child.kill(signal)
      return ended
    },
    ended,
  }
}
