import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { must } from '#foundation/must.ts'
import { diskColumns, meanDisks, readDisks } from './disk-columns.ts'
import type { Point } from './point.ts'
import { folded, reader, unfolded, written } from './small-numbers.ts'

export type { Disk, Point } from './point.ts'

export const MINUTE_S = 60
export const HOUR_S = 3600
export const DAY_S = 86_400

/** An hour is kept to the minute, by the last report of each; a day by means of five minutes. */
const kinds = {
  hour: { step_s: MINUTE_S, unit_s: 1, most_bytes: 600 },
  day: { step_s: 300, unit_s: 300, most_bytes: 1900 },
} as const
type Kind = keyof typeof kinds

const FORMAT = { plain: 1, deflated: 2 } as const

/**
 * Returns the row of an hour or a day that begins at `starts_s` and holds these points, which may be of several processes and in any
 * order. A point twice is as good as once, so that a row may be written again. A row never becomes longer than its kind allows: steps
 * grow until it fits.
 */
export function encodeRow(points: readonly Point[], starts_s: number, kind: Kind): Buffer {
  const { step_s, most_bytes } = kinds[kind]
  for (let times = 1; ; times += 1) {
    const body = bodyOf(reduced(points, step_s * times, kind), starts_s, kind)
    // An hour is written twelve times, and deflating costs more than it saves where the differences are small.
    const row = kind === 'hour' && body.length < most_bytes ? marked(FORMAT.plain, body) : packed(body)
    if (row.length <= most_bytes) return row
  }
}

const reduced = (points: readonly Point[], step_s: number, kind: Kind): Point[] =>
  kind === 'hour' ? lastOfEach(points, step_s) : meansOf(points, step_s)

/** The last point of each step, in the order of time. Among several in one second the greatest counts, so that all orders come to the same. */
export function lastOfEach(points: readonly Point[], step_s: number): Point[] {
  const last = new Map<number, Point>()
  for (const point of points) {
    const step = Math.floor(point.at_s / step_s)
    const other = last.get(step)
    if (!other || isLater(point, other)) last.set(step, point)
  }
  return [...last.values()].toSorted((one, other) => one.at_s - other.at_s)
}

function isLater(one: Point, other: Point): boolean {
  for (const name of ['at_s', 'load', 'memory', 'disk', 'memory_total_bytes', 'disk_total_bytes'] as const)
    if (one[name] !== other[name]) return one[name] > other[name]
  return JSON.stringify(one.disks ?? []) > JSON.stringify(other.disks ?? [])
}

function meansOf(points: readonly Point[], step_s: number): Point[] {
  const steps = Map.groupBy(points, ({ at_s }) => Math.floor(at_s / step_s))
  const means = [...steps].map(([step, among]) => {
    const last = among.reduce((one, other) => (isLater(other, one) ? other : one))
    const mean = (name: 'load' | 'memory' | 'disk') =>
      Math.round(among.reduce((sum, point) => sum + point[name], 0) / among.length)
    const disks = meanDisks(among)
    const means = { load: mean('load'), memory: mean('memory'), disk: mean('disk') }
    return { ...last, at_s: step * step_s, ...means, ...(disks.length > 0 && { disks }) }
  })
  return means.toSorted((one, other) => one.at_s - other.at_s)
}

/** Columns of differences, which are small and alike; the totals stand before them, once for all points that have them. */
function bodyOf(points: readonly Point[], starts_s: number, kind: Kind): Buffer {
  const { unit_s } = kinds[kind]
  const numbers = [unit_s, points.length]
  const totals = runsOf(points)
  numbers.push(totals.length)
  for (const { length, point } of totals)
    numbers.push(length, point.memory_total_bytes, point.disk_total_bytes)
  let before_s = starts_s
  for (const { at_s } of points) {
    numbers.push((at_s - before_s) / unit_s)
    before_s = at_s
  }
  for (const name of ['load', 'memory', 'disk'] as const) {
    let before = 0
    for (const point of points) {
      numbers.push(folded(point[name] - before))
      before = point[name]
    }
  }
  numbers.push(...diskColumns(points))
  return written(numbers)
}

/** Points in a row that have the same totals. */
function runsOf(points: readonly Point[]): { length: number; point: Point }[] {
  const runs: { length: number; point: Point }[] = []
  for (const point of points) {
    const run = runs.at(-1)
    const isSame =
      run?.point.memory_total_bytes === point.memory_total_bytes &&
      run.point.disk_total_bytes === point.disk_total_bytes
    if (run && isSame) run.length += 1
    else runs.push({ length: 1, point })
  }
  return runs
}

function packed(body: Buffer): Buffer {
  const deflated = deflateRawSync(body, { level: 9 })
  return deflated.length < body.length ? marked(FORMAT.deflated, deflated) : marked(FORMAT.plain, body)
}

const marked = (format: number, bytes: Buffer): Buffer => Buffer.concat([Buffer.of(format), bytes])

/** The points of a row; undefined for a form that this release does not know. */
export function decodeRow(row: Buffer, starts_s: number): Point[] | undefined {
  const format = row[0]
  if (format !== FORMAT.plain && format !== FORMAT.deflated) return undefined
  const rest = row.subarray(1)
  const { next, isAtEnd } = reader(format === FORMAT.deflated ? inflateRawSync(rest) : rest)
  const [unit_s, length, runs] = [next(), next(), next()]
  const totals = Array.from({ length: runs }, () => [next(), next(), next()] as const).flatMap(
    ([times, memory_total_bytes, disk_total_bytes]) =>
      Array.from({ length: times }, () => ({ memory_total_bytes, disk_total_bytes })),
  )
  const column = (first: number, read: () => number) => {
    let present = first
    return Array.from({ length }, () => (present += read()))
  }
  const times = column(starts_s, () => next() * unit_s)
  const [loads, memories, disks] = [1, 2, 3].map(() => column(0, () => unfolded(next())))
  const others = isAtEnd() ? [] : readDisks(next, length)
  return totals.map((total, place) => ({
    at_s: must(times[place]),
    load: must(must(loads)[place]),
    memory: must(must(memories)[place]),
    disk: must(must(disks)[place]),
    ...total,
    ...(others[place]?.length && { disks: others[place] }),
  }))
}
