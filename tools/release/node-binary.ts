import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { withoutSymbols } from './without-symbols.ts'

// The version equals that of the development dependency `node`. The sums are those of the files that npm's registry served when the
// version was chosen.
export const NODE = '24.21.0'
export const architectures = {
  x64: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  arm64: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
}
export type Architecture = keyof typeof architectures
export const architectureNames = ['x64', 'arm64'] as const satisfies readonly Architecture[]

/** Puts Node's executable at `bin/node` of the release, and its licence beside the packages. Throws if the download has another sum. */
export function fetchNode(folder: string, arch: Architecture): void {
  const download = mkdtempSync(path.join(tmpdir(), 'hostdesk-node-'))
  try {
    const name = `node-linux-${arch}`
    execFileSync('npm', ['pack', '--silent', `${name}@${NODE}`], { cwd: download })
    const archive = path.join(download, `${name}-${NODE}.tgz`)
    const sum = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`
    if (sum !== architectures[arch])
      throw new Error(`${name}@${NODE} is not the file that was chosen: ${sum}`)
    execFileSync('tar', ['-xzf', archive, 'package/bin/node', 'package/LICENSE', 'package/package.json'], {
      cwd: download,
    })
    const unpacked = path.join(download, 'package')
    const program = withoutSymbols(readFileSync(path.join(unpacked, 'bin/node')))
    writeFileSync(path.join(folder, 'bin/node'), program, { mode: 0o755 })
    mkdirSync(path.join(folder, 'node_modules', name))
    for (const file of ['LICENSE', 'package.json'])
      cpSync(path.join(unpacked, file), path.join(folder, 'node_modules', name, file))
  } finally {
    rmSync(download, { recursive: true, force: true })
  }
}
