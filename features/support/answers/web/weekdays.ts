import { asLabel, currentDateLocale } from '#foundation/web/i18n/format.ts'

/** A Monday. */
const MONDAY = Date.UTC(2024, 0, 1)
const DAY_ms = 86_400_000

/** The names of the days of the week, from Monday on, as labels begin. */
export function weekdays(): string[] {
  const name = new Intl.DateTimeFormat(currentDateLocale(), { weekday: 'long', timeZone: 'UTC' })
  return Array.from({ length: 7 }, (_, place) => asLabel(name.format(MONDAY + place * DAY_ms)))
}
