/** The forms of hours, targets and holidays, for the page and for the server. */

/** A day of the week on which the desk is open. */
export type Open = { from: string; to: string }

export const WEEKDAYS = 7
/** The longest target, in minutes of open time. */
export const LONGEST = 43_200
export const MOST_HOLIDAYS = 200

const TIME = String.raw`([01]?\d|2[0-4])(?:[:.]([0-5]\d))?`
const SPAN = new RegExp(String.raw`^${TIME}\s*(?:-|–|—|to|bis|до)\s*${TIME}$`, 'u')

/** Reads opening hours as people write them (`9-17`, `09:00 – 17:30`): null for an empty text, undefined for one that is none. */
export function readHours(typed: string): Open | null | undefined {
  const text = typed.trim()
  if (text === '') return null
  const [, fromHour, fromMinute, toHour, toMinute] = SPAN.exec(text) ?? []
  if (fromHour === undefined || toHour === undefined) return undefined
  const open = { from: clock(fromHour, fromMinute), to: clock(toHour, toMinute) }
  return isOpen(open) ? open : undefined
}

const clock = (hour: string, minute = '00') => `${hour.padStart(2, '0')}:${minute}`

/** True for hours that begin before they end, at midnight at the latest. */
export const isOpen = ({ from, to }: Open): boolean => from < to && to <= '24:00'

export const hoursText = (open: Open | null): string => (open ? `${open.from}–${open.to}` : '')

/** Reads a target in hours (`4`, `0.5`, `1,5`) as minutes: null for an empty text, undefined for one that is none. */
export function readTarget(typed: string): number | null | undefined {
  const text = typed.trim()
  if (text === '') return null
  if (!/^\d{1,3}(?:[.,]\d{1,2})?$/.test(text)) return undefined
  const minutes = Math.round(Number(text.replace(',', '.')) * 60)
  return minutes >= 1 && minutes <= LONGEST ? minutes : undefined
}

/** A target as it is typed: hours with two digits at most. */
export const targetText = (minutes: number | null): string =>
  minutes === null ? '' : String(Math.round(minutes / 0.6) / 100)

export type Holiday = { day: string; name: string }

/** Reads holidays, one a line: `2026-12-25 Christmas`. Undefined if a line begins with no day. */
export function readHolidays(typed: string): Holiday[] | undefined {
  const lines = typed.split('\n').flatMap((line) => line.trim() || [])
  const found = lines.map((line) => /^(\d{4}-\d\d-\d\d)(?:\s+(.{0,100}))?$/u.exec(line))
  if (found.length > MOST_HOLIDAYS || !found.every((each) => each !== null)) return undefined
  return found.map(([, day = '', name = '']) => ({ day, name: name.trim() }))
}

export const holidaysText = (holidays: readonly Holiday[]): string =>
  holidays.map(({ day, name }) => `${day} ${name}`.trim()).join('\n')
