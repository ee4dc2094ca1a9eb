/** The times that the dialog offers, in the time zone of this browser. */
export const snoozeKinds = ['hours', 'tomorrow', 'monday', 'week'] as const
export type SnoozeKind = (typeof snoozeKinds)[number]

const HOUR_ms = 3_600_000
const MORNING_h = 9

/** Returns the time that a choice means at `now`: in three hours, or at nine in the morning of a day. */
export function snoozeTime(kind: SnoozeKind, now: Date): Date {
  if (kind === 'hours') return new Date(Math.ceil((now.getTime() + 3 * HOUR_ms) / 60_000) * 60_000)
  const days = { tomorrow: 1, monday: daysToMonday(now), week: 7 }[kind]
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, MORNING_h)
}

/** The coming Monday is never today. */
const daysToMonday = (now: Date): number => (8 - now.getDay()) % 7 || 7
