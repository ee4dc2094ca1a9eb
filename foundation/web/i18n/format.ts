import { currentLocale } from './locale.ts'

/** A date as written in the present language: `21 Nov 2026`. Takes what the wire carries. */
export const formatDate = (time: Time): string =>
  dateFormat(currentLocale(), { dateStyle: 'medium' }).format(at(time))

/** A date with hours and minutes in the browser's time zone. */
export const formatDateTime = (time: Time): string =>
  dateFormat(currentLocale(), { dateStyle: 'medium', timeStyle: 'short' }).format(at(time))

/** '3 minutes ago', 'tomorrow', 'in 2 years': from seconds to years (row G-01). */
export function relativeTime(time: Time, now: Time = Date.now()): string {
  const seconds = (at(time).getTime() - at(now).getTime()) / 1000
  const format = new Intl.RelativeTimeFormat(currentLocale(), { numeric: 'auto' })
  for (const [unit, length_s] of UNITS) {
    const count = Math.trunc(seconds / length_s)
    if (count !== 0) return format.format(count, unit)
  }
  return format.format(Math.trunc(seconds), 'second')
}

/** RFC 3339 text, milliseconds since 1970, or a Date. The account calls give seconds: multiply them first. */
export type Time = string | number | Date

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365.25 * 86_400],
  ['month', 30.4375 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

const at = (time: Time): Date => (time instanceof Date ? time : new Date(time))

// Making a formatter costs far more than using it; a list of a hundred rows makes one.
const dateFormats = new Map<string, Intl.DateTimeFormat>()

function dateFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = locale + JSON.stringify(options)
  const format = dateFormats.get(key) ?? new Intl.DateTimeFormat(locale, options)
  dateFormats.set(key, format)
  return format
}
