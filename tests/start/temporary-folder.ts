import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inject, onTestFinished } from 'vitest'

/** Makes a folder that is removed after the test. By default other users may enter it: PostgreSQL runs as another user than root. */
export function temporaryFolder(mode = 0o755): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'hostdesk-start-'))
  chmodSync(folder, mode)
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }))
  return folder
}

/** Makes a temporary folder with the demo data of an earlier start. */
export function seededFolder(): string {
  const folder = temporaryFolder()
  // The copy keeps the owners: PostgreSQL's data belong to another user, and PostgreSQL refuses data that others may read.
  execFileSync('cp', ['--archive', `${inject('seededFolder')}/.`, folder])
  return folder
}
