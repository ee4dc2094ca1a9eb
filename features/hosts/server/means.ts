import { drawn, meanDisks } from './disk-columns.ts'
import type { Point } from './figures-row.ts'

/** Means over one step; null if nothing was reported in it. */
type Mean = { at_s: number } & Record<Series, number | null>
export type Series =
  | 'load_1m'
  | 'memory_used_bytes'
  | 'memory_total_bytes'
  | 'disk_used_bytes'
  | 'disk_total_bytes'
type Sum = Record<Series, number> & { reports: number }

/** Means of so many reports in a step that begins at this time. */
export type Part = Record<Series, number> & { at_s: number; reports: number }

/** One mean for each step of the last `hours`, the running step included; each begins at a multiple of `step_s` since 1970. */
export function meansBy(
  { points, parts }: { points: readonly Point[]; parts: readonly Part[] },
  { now, hours, step_s }: { now: Date; hours: number; step_s: number },
): Mean[] {
  const sums = new Map<number, Sum>()
  for (const point of points) add(sums, partOf(point, step_s))
  for (const part of parts) add(sums, part)
  const first_s = firstStep(now, hours, step_s)
  const steps = Math.floor((now.getTime() / 1000 - first_s) / step_s) + 1
  return Array.from({ length: steps }, (_, place) => {
    const at_s = first_s + place * step_s
    return { at_s, ...meanOf(sums.get(at_s)) }
  })
}

/** The disks beside `/`: for each the mean of each step, null if nothing was reported of it. */
export function diskMeans(
  points: readonly Point[],
  { now, hours, step_s }: { now: Date; hours: number; step_s: number },
) {
  const first_s = firstStep(now, hours, step_s)
  const steps = Math.floor((now.getTime() / 1000 - first_s) / step_s) + 1
  const byStep = Map.groupBy(points, ({ at_s }) => Math.floor((at_s - first_s) / step_s))
  const means = Array.from({ length: steps }, (_, place) => meanDisks(byStep.get(place) ?? []))
  return drawn(means.flat()).map(({ mount }) => {
    const disks = means.map((some) => some.find((disk) => disk.mount === mount))
    return {
      mount,
      used_bytes: disks
        .map((disk) => disk && Math.round((disk.used / 10_000) * disk.total_bytes))
        .map(orNull),
      total_bytes: disks.map((disk) => disk?.total_bytes).map(orNull),
    }
  })
}

const orNull = (value: number | undefined): number | null => value ?? null

export const firstStep = (now: Date, hours: number, step_s: number): number =>
  Math.floor((now.getTime() / 1000 - hours * 3600) / step_s) * step_s

const partOf = (point: Point, step_s: number): Part => ({
  at_s: Math.floor(point.at_s / step_s) * step_s,
  reports: 1,
  load_1m: point.load / 100,
  memory_used_bytes: (point.memory / 10_000) * point.memory_total_bytes,
  memory_total_bytes: point.memory_total_bytes,
  disk_used_bytes: (point.disk / 10_000) * point.disk_total_bytes,
  disk_total_bytes: point.disk_total_bytes,
})

const series = [
  'load_1m',
  'memory_used_bytes',
  'memory_total_bytes',
  'disk_used_bytes',
  'disk_total_bytes',
] as const

function add(sums: Map<number, Sum>, part: Part): void {
  const sum = sums.get(part.at_s) ?? { ...nothing, reports: 0 }
  for (const name of series) sum[name] += part[name] * part.reports
  sum.reports += part.reports
  sums.set(part.at_s, sum)
}

const nothing = {
  load_1m: 0,
  memory_used_bytes: 0,
  memory_total_bytes: 0,
  disk_used_bytes: 0,
  disk_total_bytes: 0,
}

function meanOf(sum: Sum | undefined): Record<Series, number | null> {
  const mean = (name: Series, digits: number) =>
    sum ? Math.round((sum[name] / sum.reports) * digits) / digits : null
  return {
    load_1m: mean('load_1m', 1000),
    memory_used_bytes: mean('memory_used_bytes', 1),
    memory_total_bytes: mean('memory_total_bytes', 1),
    disk_used_bytes: mean('disk_used_bytes', 1),
    disk_total_bytes: mean('disk_total_bytes', 1),
  }
}
