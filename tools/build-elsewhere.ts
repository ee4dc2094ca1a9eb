import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const left = new Set([
  'node_modules',
  'dist',
  'release',
  'docs',
  'tests',
  'bench',
  'test-results',
  '.git',
  '.data',
])

/**
 * Builds the pages on a machine that has only production packages (`NODE_ENV=production npm ci`). This happens in a copy of the
 * checkout with packages of its own; only the built pages are kept. Throws Error with npm's or the tool's output.
 */
export async function buildElsewhere(root: string, build: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'hostdesk-build-'))
  try {
    cpSync(root, folder, {
      recursive: true,
      filter: (from) => !left.has(path.relative(root, from)),
    })
    await fetchPackages(folder)
    await build(folder)
    for (const built of ['dist/web', 'dist/hostdeskctl.mjs'])
      cpSync(path.join(folder, built), path.join(root, built), { recursive: true })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Fetches the packages with the npm that runs this process, or else with the one that the shell finds. */
function fetchPackages(folder: string): Promise<void> {
  const npm = process.env['npm_execpath']
  const [program, ...first] = npm ? [process.execPath, npm] : (['npm'] as const)
  const command = [...first, 'ci', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund']
  return new Promise((resolve, reject) => {
    const child = spawn(program, command, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text: Buffer) => (output += text.toString()))
    const fail = (why: string) =>
      reject(
        new Error(
          `The pages are not built, and the packages that build them could not be fetched. Run: npm ci --include=dev (or install a release, whose pages are built)\n${why}`,
        ),
      )
    child.on('error', (error) => fail(error.message))
    child.on('exit', (code) => (code === 0 ? resolve() : fail(output)))
  })
}
