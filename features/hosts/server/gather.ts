import type { Pool } from 'pg'
import type { App } from '#foundation/server/app.ts'
import { addPoints } from './figures.ts'
import type { Point } from './figures-row.ts'

/** The points of a host that are not written yet, since when, and whether somebody looks at them. */
type Waiting = { since_ms: number; is_urgent: boolean; points: Point[] }
type Gathered = { waiting: Map<bigint, Waiting>; points: number; writing: Promise<void> | undefined }

// By the pool, which all calls of a process share, also those that a replica answers.
const gathered = new WeakMap<Pool, Gathered>()

const LOOK_MS = 10_000
/** Points wait so long, and a look and the writing longer: less than five minutes in all. */
const WAIT_MS = 270_000
const HOSTS_AT_ONCE = 500
/** While the database is away for long, points of the longest silence are given up: 100 bytes each. */
const MOST_POINTS = 400_000

/** Keeps a point until it is written with others; at once, as far as a chart is open on the host. */
export function gather(app: App, host_id: bigint, point: Point, is_urgent: boolean): void {
  const own = gathered.get(app.pool) ?? begin(app)
  const waiting = own.waiting.get(host_id)
  if (waiting) {
    waiting.points.push(point)
    waiting.is_urgent ||= is_urgent
  } else own.waiting.set(host_id, { since_ms: performance.now(), is_urgent, points: [point] })
  own.points += 1
  if (own.points > MOST_POINTS) giveUpOldest(own)
}

function giveUpOldest(own: Gathered): void {
  const [oldest] = own.waiting
  if (!oldest) return
  own.waiting.delete(oldest[0])
  own.points -= oldest[1].points.length
}

/** The points of a host that this process has not written yet. */
export const waitingPoints = ({ pool }: App, host_id: bigint): readonly Point[] =>
  gathered.get(pool)?.waiting.get(host_id)?.points ?? []

function begin(app: App): Gathered {
  const own: Gathered = { waiting: new Map(), points: 0, writing: undefined }
  gathered.set(app.pool, own)
  const looking = setInterval(() => void writeWaiting(app, performance.now()), LOOK_MS)
  looking.unref()
  app.beforeClose.add(async () => {
    clearInterval(looking)
    await own.writing
    await writeWaiting(app, Infinity)
  })
  return own
}

/** Writes what has waited long enough at this time of the process. Never throws: what could not be written waits on. */
export async function writeWaiting(app: App, now_ms: number): Promise<void> {
  const own = gathered.get(app.pool)
  if (!own || own.writing) return
  own.writing = writeDue(app, own, now_ms)
    .catch((error: unknown) => app.log.warn({ err: error }, 'figures could not be written yet'))
    .finally(() => (own.writing = undefined))
  await own.writing
}

async function writeDue(app: App, own: Gathered, now_ms: number): Promise<void> {
  const due = [...own.waiting].filter(
    ([, { since_ms, is_urgent }]) => is_urgent || since_ms <= now_ms - WAIT_MS,
  )
  for (let from = 0; from < due.length; from += HOSTS_AT_ONCE) {
    const some = due.slice(from, from + HOSTS_AT_ONCE)
    const points = new Map(some.map(([host_id, waiting]) => [host_id, [...waiting.points]]))
    await addPoints(app, points)
    for (const [host_id, waiting] of some) take(own, host_id, waiting, points.get(host_id)?.length ?? 0)
  }
}

/** Takes away what is written. Points that came meanwhile wait anew. */
function take(own: Gathered, host_id: bigint, waiting: Waiting, written: number): void {
  if (own.waiting.get(host_id) !== waiting) return
  own.points -= written
  own.waiting.delete(host_id)
  const points = waiting.points.slice(written)
  if (points.length > 0)
    own.waiting.set(host_id, { since_ms: performance.now(), is_urgent: waiting.is_urgent, points })
}
