import { currentDateLocale } from '#foundation/web/i18n/locale.ts'

/** A day of the seller's calendar (`2026-11-21`): the same day for every reader, in any time zone. */
export const formatDay = (day: string): string =>
  new Intl.DateTimeFormat(currentDateLocale(), { dateStyle: 'medium', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  )
