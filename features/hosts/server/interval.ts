import type { Pool } from 'pg'
import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { restingInterval_s } from '#features/hosts/rules.ts'
import * as queries from './agent-queries.ts'
import type { HostRow } from './queries.ts'

type Coming = { from_ms: number; told_s: number; servers: number }

// By the pool, which all calls of a process share, also those that a replica answers.
const coming = new WeakMap<Pool, Coming>()
const MEASURED_MS = 60_000

/** The interval to tell agents whose hosts nobody looks at. */
export const restingInterval = ({ pool }: App): number => restingInterval_s(coming.get(pool)?.servers ?? 0)

/**
 * Notes check-ins, and so how many servers come to this process: one that was told 60 s stands for 60 in a minute. Agents that come more
 * often than they were told count as several, as what they cost.
 */
export function noteComing({ pool }: App, agents: readonly { former_interval_s: number }[]): void {
  const now_ms = performance.now()
  const present = coming.get(pool) ?? { from_ms: now_ms, told_s: 0, servers: 0 }
  const told_s = agents.reduce((sum, { former_interval_s }) => sum + former_interval_s, present.told_s)
  const took_ms = now_ms - present.from_ms
  coming.set(
    pool,
    took_ms < MEASURED_MS
      ? { ...present, told_s }
      : { from_ms: now_ms, told_s: 0, servers: (told_s * 1000) / took_ms },
  )
}

/** An open page asks for its charts once a minute. */
const WATCHED_S = 150
const NOTED_ANEW_MS = 60_000
const MOST_NOTED = 10_000

const noted = new WeakMap<Pool, Map<bigint, number>>()

/** Notes that somebody looks at the figures of a host, so that its agent comes often. The look is written beside the answer, once a minute for each host. */
export function noteLook(app: App, { id, has_agent_token }: Pick<HostRow, 'id' | 'has_agent_token'>): void {
  if (!has_agent_token) return
  const looks = noted.get(app.pool) ?? new Map<bigint, number>()
  noted.set(app.pool, looks)
  const now_ms = performance.now()
  if (now_ms - (looks.get(id) ?? -Infinity) < NOTED_ANEW_MS) return
  if (looks.size >= MOST_NOTED) looks.clear()
  looks.set(id, now_ms)
  const primary: App = { ...(app.primary ?? app), acting: undefined }
  transaction(primary, 'system', (tx) => queries.setWatched(tx, id, WATCHED_S)).catch((error: unknown) => {
    looks.delete(id)
    app.log.debug({ err: error }, 'a look was not noted')
  })
}
