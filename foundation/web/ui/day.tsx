import { formatDate, formatDateTime } from '#foundation/web/i18n/format.ts'

/** The day of a moment (ISO 8601), with its time as a hint. */
export const Day = ({ at }: { at: string }) => (
  <time dateTime={at} title={formatDateTime(at)}>
    {formatDate(at)}
  </time>
)
