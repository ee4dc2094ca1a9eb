import type { Announcement } from '#features/announcements/contract.ts'
import { currentLocale } from '#foundation/web/i18n/locale.ts'
import { formatDate, formatDateTime, formatTime } from '#foundation/web/i18n/format.ts'
import { m } from '#texts/messages.js'

export const kindTexts = {
  maintenance: m.announcements_kind_maintenance,
  incident: m.announcements_kind_incident,
  news: m.announcements_kind_news,
} as const

/** Returns the title in the language of the page; for a draft without one, the title in another language or a substitute. */
export const titleOf = ({ title }: Pick<Announcement, 'title'>): string =>
  title[currentLocale()] || title.en || title.de || title.ru || m.announcements_untitled()

/** '29 Nov 2026, 02:00 to 04:00', in the reader's time zone; undefined where no time is given. */
export function periodText({
  starts_at,
  ends_at,
}: Pick<Announcement, 'starts_at' | 'ends_at'>): string | undefined {
  if (starts_at !== null && ends_at !== null) {
    const isOneDay = formatDate(starts_at) === formatDate(ends_at)
    const to = (isOneDay ? formatTime : formatDateTime)(ends_at)
    return m.announcements_period({ from: formatDateTime(starts_at), to })
  }
  if (starts_at !== null) return m.announcements_since({ time: formatDateTime(starts_at) })
  return ends_at === null ? undefined : m.announcements_until({ time: formatDateTime(ends_at) })
}
