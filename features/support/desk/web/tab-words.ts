import { m } from '#texts/messages.js'
import type { Tab } from './filter.ts'

/** The names of the tabs. */
export const TABS: Readonly<Record<Tab, () => string>> = {
  incoming: m.desk_tab_incoming,
  processing: m.desk_tab_processing,
  waiting: m.desk_tab_waiting,
  snoozed: m.desk_tab_snoozed,
  closed: m.desk_tab_closed,
  spam: m.desk_tab_spam,
  all: m.desk_tab_all,
}
