import { formatDate, formatDateTime, formatDay } from '#foundation/web/i18n/format.ts'

/** The day of a moment (ISO 8601), with its time as a hint; `on` is the day that a document bears for it, where that is not the reader's. */
export const Day = ({ at, on }: { at: string; on?: string }) => (
  <time dateTime={at} title={formatDateTime(at)}>
    {on === undefined ? formatDate(at) : formatDay(on)}
  </time>
)
