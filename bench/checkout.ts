import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Returns the folder of another commit, ready to start, with the packages of its own lockfile. The folder stays for the next run: installing
 * takes minutes.
 */
export async function checkOut(commit: string): Promise<string> {
  const { stdout } = await run('git', ['rev-parse', '--verify', `${commit}^{commit}`])
  const folder = path.join(tmpdir(), `hostdesk-bench-${stdout.trim().slice(0, 12)}`)
  if (existsSync(folder)) return folder
  const made = `${folder}.making-${process.pid}`
  mkdirSync(made)
  await run('sh', ['-c', `git archive ${stdout.trim()} | tar x -C "$0"`, made])
  const isSame = (await run('git', ['diff', '--stat', commit, '--', 'package-lock.json'])).stdout === ''
  if (isSame)
    cpSync('node_modules', path.join(made, 'node_modules'), { recursive: true, verbatimSymlinks: true })
  else await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: made })
  await run(process.execPath, ['tools/compile-texts.ts'], { cwd: made })
  renameSync(made, folder)
  return folder
}
