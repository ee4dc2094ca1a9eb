import { dateLocale } from '#foundation/date-locale.ts'
import { decimal } from '#foundation/decimal.ts'
import { currentLocale } from './locale.ts'

/** The locale for dates and times: British English, unless the browser prefers another. */
export const currentDateLocale = (): string => dateLocale(currentLocale(), navigator.languages)

/** Returns a date in the browser's time zone as the present language writes it: `21 Nov 2026`. */
export const formatDate = (time: Time): string =>
  withYear(dateFormat(currentDateLocale(), { dateStyle: 'medium' }).format(at(time)))

/** Returns a month as a heading, 'November 2026', with a capital letter also in languages that write months without. */
export const formatMonth = (time: Time): string => {
  const text = dateFormat(currentDateLocale(), { month: 'long', year: 'numeric' }).format(at(time))
  return withYear(asLabel(text))
}

/** Returns a name of a time with a capital letter, as labels begin. */
export const asLabel = (text: string): string =>
  text.charAt(0).toLocaleUpperCase(currentLocale()) + text.slice(1)

/** Puts a no-break space before the Russian abbreviation of 'year', so that it does not begin a line. */
const withYear = (date: string): string => date.replace(/ г\.$/u, '\u{a0}г.')

/** Returns a date with hours and minutes in the browser's time zone. */
export const formatDateTime = (time: Time): string =>
  dateFormat(currentDateLocale(), { dateStyle: 'medium', timeStyle: 'short' }).format(at(time))

/** Returns a calendar day (`2026-11-21`) as text: the same day for every reader, in any time zone. */
export const formatDay = (day: string): string =>
  withYear(
    dateFormat(currentDateLocale(), { dateStyle: 'medium', timeZone: 'UTC' }).format(
      new Date(`${day}T00:00:00Z`),
    ),
  )

/** Returns a calendar day without its year, for an axis: '23 Nov'. */
export const formatShortDay = (day: string): string =>
  dateFormat(currentDateLocale(), { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(
    new Date(`${day}T12:00:00Z`),
  )

/** Returns hours and minutes in the browser's time zone, as shown beside a message. */
export const formatTime = (time: Time): string =>
  dateFormat(currentDateLocale(), { timeStyle: 'short' }).format(at(time))

/** Returns '3 minutes ago', 'tomorrow' or 'in 2 years', in units from seconds to years (row G-01). */
export function relativeTime(time: Time, now: Time = Date.now()): string {
  const seconds = (at(time).getTime() - at(now).getTime()) / 1000
  for (const [unit, length_s] of UNITS) {
    const count = Math.trunc(seconds / length_s)
    if (count !== 0) return relativeText(unit === 'day' ? daysBetween(at(now), at(time)) : count, unit)
  }
  return relativeText(Math.trunc(seconds), 'second')
}

/** Returns 'tomorrow' for a day and 'now' for no second; other units are counted, since 31 days on is not always 'next month'. */
function relativeText(count: number, unit: Intl.RelativeTimeFormatUnit): string {
  const numeric = unit === 'day' || unit === 'second' ? 'auto' : 'always'
  return new Intl.RelativeTimeFormat(currentLocale(), { numeric }).format(count, unit)
}

/** Returns the number of midnights of the browser's time zone between two times. */
function daysBetween(from: Date, to: Date): number {
  const midnight = (time: Date) => new Date(time.getFullYear(), time.getMonth(), time.getDate()).getTime()
  // Days have 23 or 25 hours where the clocks change.
  return Math.round((midnight(to) - midnight(from)) / 86_400_000)
}

/**
 * Returns a duration in one unit: '28 days', '5 Stunden', '3 минуты'. From two days on it is in days, rounded to the nearest: a month
 * that was paid a minute ago has 30 days, not 29. Hours and minutes are rounded down; less than a minute is one.
 */
export function formatDuration(seconds: number): string {
  if (seconds >= 2 * 86_400) return formatCount(Math.round(seconds / 86_400), 'day')
  if (seconds >= 3600) return formatCount(Math.floor(seconds / 3600), 'hour')
  return formatCount(Math.max(1, Math.floor(seconds / 60)), 'minute')
}

/** Returns a count with its unit, '3 Monate'. In Russian the unit has three forms (row G-01). */
const formatCount = (count: number, unit: 'minute' | 'hour' | 'day' | 'month' | 'year'): string =>
  new Intl.NumberFormat(currentLocale(), { style: 'unit', unit, unitDisplay: 'long' }).format(count)

/** Returns '16%' or '25,5 %', rounded to two digits behind the point. */
export const formatPercent = (percent: bigint | string): string =>
  new Intl.NumberFormat(currentLocale(), { style: 'unit', unit: 'percent', maximumFractionDigits: 2 }).format(
    typeof percent === 'bigint' ? percent : decimal(percent),
  )

/** Returns a term, an ISO 8601 duration of months or years, as text: 'P3M' is '3 months'. */
export function formatTerm(term: string): string {
  const [, count = '1', unit = 'M'] = /^P(\d+)([MY])$/.exec(term) ?? []
  return formatCount(Number(count), unit === 'Y' ? 'year' : 'month')
}

/** Returns the size of a file in decimal units: '412 kB', '2.4 MB', '1.2 GB'. */
export function formatBytes(bytes: number): string {
  const [unit, size] = UNITS_OF_BYTES[bytes < 1e6 ? 0 : bytes < 1e9 ? 1 : 2]
  const format = new Intl.NumberFormat(currentLocale(), {
    style: 'unit',
    unit,
    maximumFractionDigits: bytes < 1e4 || size > 1e3 ? 1 : 0,
  })
  return format.format(bytes === 0 ? 0 : Math.max(bytes / size, 0.1))
}

const UNITS_OF_BYTES = [
  ['kilobyte', 1e3],
  ['megabyte', 1e6],
  ['gigabyte', 1e9],
] as const

/** RFC 3339 text, milliseconds since 1970, or a Date. The account calls return seconds since 1970: multiply them by 1000 first. */
type Time = string | number | Date

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
