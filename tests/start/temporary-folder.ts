import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder that is gone after the test. Open to enter by default: PostgreSQL runs as another user than root. */
export function temporaryFolder(mode = 0o755): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'hostdesk-start-'))
  chmodSync(folder, mode)
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }))
  return folder
}
