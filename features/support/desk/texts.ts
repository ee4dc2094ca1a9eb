import { m } from '#texts/messages.js'

/** The words for an account that may not do everything. */
export const accessTexts = { blocked: m.customers_state_blocked, locked: m.customers_state_locked } as const
