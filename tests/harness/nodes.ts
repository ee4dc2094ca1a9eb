import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** The Nodes on which the agent is tested: this one and, if the machine has one, an older one (20 to 23), on which it must run too. */
export const nodes: readonly { name: string; command: string }[] = [
  { name: `Node ${process.versions.node}`, command: process.execPath },
  ...[process.env['NODE_20'] ?? '', '/usr/local/bin/node', '/usr/bin/node']
    .filter((command) => command !== '' && existsSync(command))
    .map((command) => ({
      command,
      version: execFileSync(command, ['-p', 'process.versions.node']).toString().trim(),
    }))
    .filter(({ version }) => /^2[0-3]\./.test(version))
    .slice(0, 1)
    .map(({ command, version }) => ({ name: `Node ${version}`, command })),
]
