import type { AuditEntry } from '#features/operations/contract.ts'

/** A row of the audit: an entry, or the newest of several sign-ins that nothing else lies between. */
export type Entry = AuditEntry & { folded?: readonly AuditEntry[] }

/** Puts sign-ins that follow each other into one row, so that they do not hide what was done. */
export function foldSignIns(entries: readonly AuditEntry[]): Entry[] {
  const rows: Entry[] = []
  for (const entry of entries) {
    const last = rows.at(-1)
    if (last?.act === SIGN_IN && entry.act === SIGN_IN)
      rows[rows.length - 1] = { ...last, folded: [...(last.folded ?? [last]), entry] }
    else rows.push(entry)
  }
  return rows
}

const SIGN_IN = 'session.started'
