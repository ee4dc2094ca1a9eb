import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '#foundation/server/app.ts'
import { auditBefore, type AuditRow } from '#foundation/server/audit/audit.ts'

/** An entry of the audit for the command line. */
export type AuditLine = {
  id: string
  at: string
  act: string
  /** The actor: the kind, and the id of a person. */
  by: string
  account: string | null
  ip: string | null
  detail: Record<string, unknown>
}

type Filter = { act?: string; people?: readonly string[] }

const FIRST = 20
const AT_ONCE = 1_000
const PAUSE_ms = 1_000
/** An entry carries the time at which its transaction began, but is visible only after the commit, so recent times are read again. */
const LATE_s = 60

/** Yields the newest entries, the newest last; with `follow`, also each later entry as it appears. */
export async function* auditTail(
  app: App,
  filter: Filter,
  { follow, pause_ms = PAUSE_ms }: { follow: boolean; pause_ms?: number },
): AsyncGenerator<AuditLine[], undefined> {
  const first = await auditBefore(app.db, filter, { limit: FIRST })
  yield first.toReversed().map(lineOf)
  let newest = first[0]?.at
  const around = () => {
    const from = newest && new Date(newest.getTime() - LATE_s * 1000).toISOString()
    return auditBefore(app.db, { ...filter, from }, { limit: AT_ONCE })
  }
  // An entry that is older than all entries of the first page is not new, and is not printed.
  const oldest = first.at(-1)?.at
  let seen = new Set(first.map(({ id }) => id))
  while (follow) {
    await sleep(pause_ms)
    const recent = await around()
    const fresh = recent.filter(({ id, at }) => !seen.has(id) && (oldest === undefined || at > oldest))
    seen = new Set(recent.map(({ id }) => id))
    newest = recent[0]?.at ?? newest
    if (fresh.length > 0) yield fresh.toReversed().map(lineOf)
  }
  return undefined
}

function lineOf(row: AuditRow): AuditLine {
  const { id, at, act, user_id, ip, detail, actor_kind: kind, actor_id: actor } = row
  return {
    id: String(id),
    at: at.toISOString(),
    act,
    by: actor === null ? kind : `${kind} ${actor}`,
    account: user_id,
    ip,
    detail,
  }
}
