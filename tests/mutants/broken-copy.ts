import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Mutant } from './mutant.ts'

/** Returns the text with `find` replaced. Throws unless `find` occurs exactly once. */
export function mutate(
  text: string,
  { file, find, replace }: Pick<Mutant, 'file' | 'find' | 'replace'>,
): string {
  const [before, after, ...more] = text.split(find)
  if (after === undefined || more.length > 0)
    throw new Error(`${file} must have exactly once: ${find.trim()} (tests/mutants/list.ts)`)
  return before + replace + after
}

export type BrokenCopy = { folder: string; mutate(mutant: Mutant): () => void; remove(): void }

/** Makes a copy of the working tree, with its uncommitted files. Mutants change only the copy, never the tree itself. */
export function makeCopy(root: string): BrokenCopy {
  const folder = mkdtempSync(path.join(tmpdir(), 'hostdesk-mutants-'))
  // PostgreSQL runs as another user than root and must be able to enter.
  chmodSync(folder, 0o755)
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  for (const file of listed.split('\0').filter(Boolean))
    cpSync(path.join(root, file), path.join(folder, file), { force: true })
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
  return {
    folder,
    mutate(mutant) {
      const place = path.join(folder, mutant.file)
      const whole = readFileSync(place, 'utf8')
      writeFileSync(place, mutate(whole, mutant))
      return () => writeFileSync(place, whole)
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
