import type { Disk, Point } from './point.ts'
import { folded, unfolded } from './small-numbers.ts'

/** At most so many disks beside `/` are drawn, the fullest ones, and so many bytes of their mounts are kept in a row. */
const MOST_DISKS = 8
const MOST_BYTES = 160

/** The disks that are drawn: the fullest ones at their fullest, in the order of their mounts. */
export function drawn(disks: readonly Disk[]): Disk[] {
  const fullest = new Map<string, Disk>()
  for (const disk of disks) {
    const other = fullest.get(disk.mount)
    if (!other || disk.used > other.used) fullest.set(disk.mount, disk)
  }
  const byUse = [...fullest.values()].toSorted(
    (one, other) => other.used - one.used || (one.mount < other.mount ? -1 : 1),
  )
  const kept: Disk[] = []
  let bytes = 0
  for (const disk of byUse) {
    bytes += Buffer.byteLength(disk.mount)
    if (kept.length === MOST_DISKS || bytes > MOST_BYTES) break
    kept.push(disk)
  }
  return kept.toSorted((one, other) => (one.mount < other.mount ? -1 : 1))
}

/**
 * The disks beside `/` as numbers behind those of a row, which a process of the release before does not read: for each its mount, its newest
 * size, and one more than its used share at each point, 0 where a point does not tell it. Nothing for a machine with one disk.
 */
export function diskColumns(points: readonly Point[]): number[] {
  const mounts = drawn(points.flatMap(({ disks = [] }) => disks)).map(({ mount }) => mount)
  if (mounts.length === 0) return []
  const numbers = [mounts.length]
  for (const mount of mounts) {
    const told = points.map(({ disks }) => disks?.find((disk) => disk.mount === mount))
    const name = Buffer.from(mount)
    numbers.push(name.length, ...name, told.findLast((disk) => disk)?.total_bytes ?? 0)
    let before = 0
    for (const disk of told) {
      const share = disk ? disk.used + 1 : 0
      numbers.push(folded(share - before))
      before = share
    }
  }
  return numbers
}

/** Reads them back: the disks of each of so many points. */
export function readDisks(next: () => number, points: number): Disk[][] {
  const all: Disk[][] = Array.from({ length: points }, () => [])
  for (let left = next(); left > 0; left -= 1) {
    const mount = Buffer.from(Array.from({ length: next() }, next)).toString()
    const total_bytes = next()
    let share = 0
    for (const disks of all) {
      share += unfolded(next())
      if (share > 0) disks.push({ mount, used: share - 1, total_bytes })
    }
  }
  return all
}

/** The mean of each disk over those points that tell it, with its newest size. */
export function meanDisks(points: readonly Point[]): Disk[] {
  const byMount = Map.groupBy(
    points.flatMap(({ disks = [] }) => disks),
    ({ mount }) => mount,
  )
  const means = [...byMount].map(([mount, told]) => ({
    mount,
    used: Math.round(told.reduce((sum, { used }) => sum + used, 0) / told.length),
    total_bytes: told.at(-1)?.total_bytes ?? 0,
  }))
  return means.toSorted((one, other) => (one.mount < other.mount ? -1 : 1))
}
