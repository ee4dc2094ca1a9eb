import type { Locale } from '#foundation/locale.ts'
import { m } from '#texts/messages.js'
import type { AutoTopUp } from './contract.ts'
import type { HoldReason, PauseReason, RunState } from './rules.ts'

/** Without a locale, the text is in the language of the page. */
type At = { locale?: Locale }

const states: Record<RunState, (none: Record<string, never>, at: At) => string> = {
  announced: m.auto_top_ups_run_announced,
  charging: m.auto_top_ups_run_charging,
  under_way: m.auto_top_ups_run_under_way,
  action_needed: m.auto_top_ups_run_action_needed,
  paid: m.auto_top_ups_run_paid,
  returned: m.auto_top_ups_run_returned,
  declined: m.auto_top_ups_run_declined,
  expired: m.auto_top_ups_run_expired,
  cancelled: m.auto_top_ups_run_cancelled,
}

export const runStateText = (state: RunState, at: At = {}): string => states[state]({}, at)

const standings: Record<AutoTopUp['state'], (none: Record<string, never>, at: At) => string> = {
  active: m.auto_top_ups_state_active,
  paused: m.auto_top_ups_state_paused,
  off: m.auto_top_ups_state_off,
}

export const stateText = (state: AutoTopUp['state'], at: At = {}): string => standings[state]({}, at)

const reasons: Record<PauseReason | HoldReason, (none: Record<string, never>, at: At) => string> = {
  declined: m.auto_top_ups_why_declined,
  disputed: m.auto_top_ups_why_disputed,
  returned: m.auto_top_ups_why_returned,
  method_gone: m.auto_top_ups_why_method_gone,
  not_allowed: m.auto_top_ups_why_not_allowed,
  no_news: m.auto_top_ups_why_no_news,
  staff: m.auto_top_ups_why_staff,
  month_limit: m.auto_top_ups_why_month_limit,
  balance_cap: m.auto_top_ups_why_balance_cap,
}

/** The sentence why an automatic top-up is paused, or why it charges nothing that would be due. */
export const reasonText = (reason: PauseReason | HoldReason, at: At = {}): string => reasons[reason]({}, at)
