/** The measurements of a simulated machine at a check-in. */
export type DemoMetrics = {
  uptime_s: number
  load_1m: number
  memory_used_bytes: number
  memory_total_bytes: number
  disk_used_bytes: number
  disk_total_bytes: number
  disks: { mount: string; used_bytes: number; total_bytes: number }[]
}

const GIB = 2 ** 30
const DAY_S = 86_400

/**
 * Returns the figures of the example machine at a time: it is busy by day, runs a backup at three in the morning, and its disk fills
 * slowly. A time always has the same figures, so that the stored figures and those that the demo agent reports fit together.
 */
export function metricsAt(at: Date): DemoMetrics {
  const now_s = at.getTime() / 1000
  const hour = (now_s % DAY_S) / 3600
  const day = Math.max(0, Math.sin(((hour - 6) / 16) * Math.PI)) ** 1.5
  const backup = hour >= 3 && hour < 3.4 ? 1.6 : 0
  const load = 0.12 + 0.9 * day + backup + 0.35 * day * ripple(now_s, 1900) + 0.12 * ripple(now_s, 71)
  return {
    uptime_s: Math.floor(now_s % (41 * DAY_S)),
    load_1m: Math.round(Math.max(0.02, load) * 100) / 100,
    memory_used_bytes: Math.round(GIB * (2.1 + 0.9 * day + 0.4 * backup + 0.15 * ripple(now_s, 5400))),
    memory_total_bytes: 8 * GIB,
    disk_used_bytes: Math.round(GIB * (46 + 9 * ((now_s % (30 * DAY_S)) / (30 * DAY_S)))),
    disk_total_bytes: 80 * GIB,
    disks: [
      {
        mount: '/var/lib/postgresql',
        used_bytes: Math.round(GIB * (112 + 21 * ((now_s % (9 * DAY_S)) / (9 * DAY_S)) + 3 * day)),
        total_bytes: 200 * GIB,
      },
    ],
  }
}

/** Returns a number between -1 and 1 that looks random: the mean of three waves whose periods have no common multiple. */
const ripple = (now_s: number, period_s: number): number =>
  (Math.sin(now_s / period_s) + Math.sin((now_s * 1.618) / period_s) + Math.sin((now_s * 2.414) / period_s)) /
  3
