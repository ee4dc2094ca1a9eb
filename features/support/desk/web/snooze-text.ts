import type { Ticket } from '#features/support/tickets/contract.ts'
import { formatDateTime } from '#foundation/web/i18n/format.ts'
import { m } from '#texts/messages.js'

/** The sleep of a ticket in words. */
export const snoozedText = ({ until }: NonNullable<Ticket['snoozed']>): string =>
  until === null ? m.desk_snoozed_until_answer() : m.desk_snoozed_until({ time: formatDateTime(until) })
