import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

/**
 * Writes a small checkout into a temporary folder, with the settings that this checkout has for its tools, so that a test can see the
 * complaints of a tool. The compiler writes its cache into that folder, not into this checkout.
 */
export function brokenTree(files: Record<string, string>): BrokenTree {
  const root = mkdtempSync(join(tmpdir(), 'hostdesk-rule-'))
  for (const path of [
    'package.json',
    '.gitignore',
    '.oxlintrc.json',
    '.oxfmtrc.json',
    'knip.json',
    'tools/lint-rules.js',
    'tools/lint-texts.js',
    ...projects,
  ])
    copy(path, root)
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'))
  for (const [path, text] of Object.entries(files)) write(join(root, path), text)
  return {
    root,
    run: (tool, ...options) => run(root, tool, options),
    remove: () => rmSync(root, { recursive: true }),
  }
}

export type BrokenTree = {
  root: string
  /** The output of the tool, with or without complaints. */
  run: (tool: string, ...options: string[]) => string
  remove: () => void
}

const projects = ['', '.base', '.both', '.server', '.web', '.tests', '.agent', '.clients'].map(
  (name) => `tsconfig${name}.json`,
)

function copy(path: string, root: string): void {
  if (path.startsWith('tsconfig')) {
    write(join(root, path), readFileSync(path, 'utf8').replace('node_modules/.tsc', '.tsc'))
    return
  }
  mkdirSync(dirname(join(root, path)), { recursive: true })
  cpSync(path, join(root, path))
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

function run(root: string, tool: string, options: string[]): string {
  try {
    return execFileSync(join(root, 'node_modules/.bin', tool), options, {
      cwd: root,
      encoding: 'utf8',
      timeout: 60_000,
      killSignal: 'SIGKILL',
    })
  } catch (failure) {
    const { stdout = '', stderr = '' } = failure as { stdout?: string; stderr?: string }
    return stdout + stderr
  }
}
