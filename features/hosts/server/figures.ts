import type { App } from '#foundation/server/app.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { drawn } from './disk-columns.ts'
import * as queries from './figures-queries.ts'
import type { FigureRow } from './figures-queries.ts'
import { decodeRow, encodeRow, HOUR_S, type Point } from './figures-row.ts'

export type Reported = {
  load_1m: number
  memory_used_bytes: number
  memory_total_bytes: number
  disk_used_bytes: number
  disk_total_bytes: number
  disks?: readonly { mount: string; used_bytes: number; total_bytes: number }[] | undefined
}

/** A report as it is kept: the load to a hundredth, memory and disks to a hundredth of a percent. */
export const pointOf = (at: Date, told: Reported): Point => ({
  at_s: Math.floor(at.getTime() / 1000),
  load: Math.round(told.load_1m * 100),
  memory: shareOf(told.memory_used_bytes, told.memory_total_bytes),
  disk: shareOf(told.disk_used_bytes, told.disk_total_bytes),
  memory_total_bytes: told.memory_total_bytes,
  disk_total_bytes: told.disk_total_bytes,
  ...(told.disks?.length && { disks: drawn(told.disks.map(diskOf)) }),
})

const diskOf = ({ mount, used_bytes, total_bytes }: NonNullable<Reported['disks']>[number]) => ({
  mount,
  used: shareOf(used_bytes, total_bytes),
  total_bytes,
})

const shareOf = (used: number, total: number): number =>
  total === 0 ? 0 : Math.round((used / total) * 10_000)

const TRIES = 10

/**
 * Adds points to the rows of their hours. Other processes may add points of the same hosts at the same time: a row that changed since
 * it was read is read and written again. Hosts that were deleted get no row.
 */
export async function addPoints(app: App, points: ReadonlyMap<bigint, readonly Point[]>): Promise<void> {
  let left = hoursOf(points)
  for (let tries = 0; left.length > 0; tries += 1) {
    if (tries === TRIES) throw new Error('The figures of some hosts change faster than they can be written.')
    left = await transaction(app, 'system', (tx) => addHours(tx, left))
  }
}

/** Adds points in a transaction that is alone. */
export async function addPointsAlone(tx: Tx, host_id: bigint, points: readonly Point[]): Promise<void> {
  await addHours(tx, hoursOf(new Map([[host_id, points]])))
}

/** Returns the hours that somebody else changed meanwhile. */
async function addHours(tx: Tx, hours: readonly Hour[]): Promise<Hour[]> {
  const present = new Map((await queries.rowsFor(tx, hours)).map((row) => [keyOf(row), row]))
  const wanted = hours.flatMap((hour) => {
    const row = merged(hour, present.get(keyOf(hour)))
    return row ? [{ hour, row }] : []
  })
  const done = new Set(
    (
      await queries.writeRows(
        tx,
        wanted.map(({ row }) => row),
      )
    ).map(keyOf),
  )
  return wanted.map(({ hour }) => hour).filter((hour) => !done.has(keyOf(hour)))
}

type Hour = { host_id: bigint; starts_s: number; points: readonly Point[] }
type Present = { points: Buffer | null; is_day: boolean | null }

/** Undefined for a deleted host, and for a row that a newer release wrote in a form of its own: that stays as it is. */
function merged(
  { host_id, starts_s, points }: Hour,
  present: Present | undefined,
): queries.WantedRow | undefined {
  if (!present) return undefined
  const former = present.points ?? undefined
  const is_day = present.is_day ?? false
  const known = former ? decodeRow(former, starts_s) : []
  if (!known) return undefined
  const row = encodeRow([...known, ...points], starts_s, is_day ? 'day' : 'hour')
  return { host_id, starts_s, is_day, points: row, former }
}

const keyOf = ({ host_id, starts_s }: { host_id: bigint; starts_s: number }): string =>
  `${host_id} ${starts_s}`

/** In one order for all processes, so that they seldom wait for each other. */
function hoursOf(points: ReadonlyMap<bigint, readonly Point[]>): Hour[] {
  const hours = [...points].flatMap(([host_id, some]) =>
    [...Map.groupBy(some, ({ at_s }) => at_s - (at_s % HOUR_S))].map(([starts_s, among]) => ({
      host_id,
      starts_s,
      points: among,
    })),
  )
  return hours.toSorted((one, other) =>
    one.host_id === other.host_id ? one.starts_s - other.starts_s : one.host_id < other.host_id ? -1 : 1,
  )
}

/** The points of a host since then, as they were written. */
export async function readPoints(db: App['db'], host_id: bigint, since_s: number): Promise<Point[]> {
  const rows = await queries.readRows(db, host_id, since_s)
  return rows
    .flatMap((row) => decodeRow(row.points, row.starts_s) ?? [])
    .filter(({ at_s }) => at_s >= since_s)
}

const FOLDED_AT_ONCE = 200
const DROPPED_AT_ONCE = 5_000

/** Folds the hours of each day that is over for a day into one row of means, and drops what is older than a month. Each transaction is short. */
export async function foldFigures(app: App): Promise<void> {
  while ((await transaction(app, 'system', (tx) => foldSome(tx))) > 0);
  while (
    (await transaction(app, 'system', (tx) => queries.dropSome(tx, DROPPED_AT_ONCE))) === DROPPED_AT_ONCE
  );
}

async function foldSome(tx: Tx): Promise<number> {
  const hours = await queries.claimHours(tx, FOLDED_AT_ONCE)
  const days = Map.groupBy(hours, ({ host_id, day_s }) => `${host_id} ${day_s}`)
  const folded = [...days.values()].flatMap(([first, ...more]): FigureRow[] => {
    if (!first) return []
    const { host_id, day_s } = first
    const points = [first, ...more].flatMap((row) => decodeRow(row.points, row.starts_s) ?? [])
    return [{ host_id, starts_s: day_s, is_day: true, points: encodeRow(points, day_s, 'day') }]
  })
  if (folded.length > 0) await queries.replaceDays(tx, folded)
  return folded.length
}
