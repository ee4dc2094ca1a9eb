import { UNUSED_HOURS } from '#features/support/tickets/rules.ts'
import type { Attachment } from '#features/support/tickets/contract.ts'
import { storedSession } from '#foundation/web/api/stored-session.ts'
import { tryToStore } from '#foundation/web/drafts.ts'
import { propertyOf } from '#foundation/web/property.ts'

/** The uploaded files of a message that is being written. The server keeps them for a day, this browser an hour less. */
export const draftFiles = {
  read: (name: string): Attachment[] => keptFiles(name).map(({ until: _until, ...file }) => file),
  write(name: string, files: readonly Attachment[]): void {
    const before = new Map(keptFiles(name).map(({ id, until }) => [id, until]))
    const fresh = Date.now() + KEPT_MS
    const kept = files.map((file): KeptFile => ({ ...file, until: before.get(file.id) ?? fresh }))
    if (kept.length === 0) localStorage.removeItem(filesKey(name))
    else tryToStore(filesKey(name), JSON.stringify(kept))
  },
}

/** `until` is the time, in milliseconds since 1970, from which the file is no longer offered. */
type KeptFile = Attachment & { until: number }

// An hour less than on the server, so that a file offered here still exists when it is sent.
const KEPT_MS = (UNUSED_HOURS - 1) * 3_600_000

function keptFiles(name: string): KeptFile[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(filesKey(name)) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isKept) : []
  } catch {
    return []
  }
}

const isKept = (file: unknown): file is KeptFile => Number(propertyOf(file, 'until')) > Date.now()

// The key names the account: the next person at this screen neither sees nor sends the files.
const filesKey = (name: string) => `draft-files:${storedSession.user()?.id ?? ''}:${name}`
