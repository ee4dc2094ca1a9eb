import { m } from '#texts/messages.js'
import type { FirstPage } from './rules.ts'

/** The names of the pages on which staff may begin, in the order in which they are offered. */
export const firstPageTexts = {
  today: m.shell_today,
  tickets: m.shell_tickets,
  servers: m.shell_servers,
} as const satisfies Record<FirstPage, () => string>

/** The words for an email address, by whether its owner has confirmed it. */
export const addressTexts = {
  confirmed: m.profile_email_verified,
  unconfirmed: m.profile_email_unverified,
} as const
