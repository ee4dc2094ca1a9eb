import type { Announcement } from '#features/announcements/contract.ts'
import { accessTexts } from '#features/support/desk/texts.ts'
import { addressTexts } from '#features/profile/texts.ts'
import { m } from '#texts/messages.js'

/** The filter of an announcement in words: the list, and what it was narrowed by. */
export function filterText({ servers, customers }: Announcement['scope']): string {
  if (servers) {
    const { state, plan, country } = servers
    const words = [state && HOST_STATES[state](), plan, country].filter(Boolean)
    return `${m.shell_servers()}: ${words.join(', ') || m.announcements_filter_any()}`
  }
  const { state, debt, q } = customers ?? {}
  const words = [
    state && STATES[state](),
    debt && m.customers_in_debt(),
    q && m.ui_quoted({ text: q }),
  ].filter(Boolean)
  return `${m.shell_customers()}: ${words.join(', ') || m.announcements_filter_any()}`
}

const HOST_STATES = {
  alert: m.customers_servers_alert,
  offline: m.customers_servers_offline,
  ends_soon: m.customers_servers_ends_soon,
  wrong_machine: m.customers_servers_wrong_machine,
  suspended: m.hosts_suspended,
} as const

const STATES = {
  active: m.customers_state_open,
  unconfirmed: addressTexts.unconfirmed,
  blocked: accessTexts.blocked,
  locked: accessTexts.locked,
} as const
