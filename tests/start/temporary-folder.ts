import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inject, onTestFinished } from 'vitest'

/** A folder that is gone after the test. Open to enter by default: PostgreSQL runs as another user than root. */
export function temporaryFolder(mode = 0o755): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'hostdesk-start-'))
  chmodSync(folder, mode)
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }))
  return folder
}

/** The same, filled with demo data by an earlier start. */
export function seededFolder(): string {
  const folder = temporaryFolder()
  // With its owners: PostgreSQL's part is another user's, and it starts nothing that others may read.
  execFileSync('cp', ['--archive', `${inject('seededFolder')}/.`, folder])
  return folder
}
