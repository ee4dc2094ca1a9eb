import { BANK_LINES_CHANGED } from '#features/banking/contract.ts'
import type { LiveReaction } from '#foundation/web/realtime/subscriptions.ts'
import { refreshLines } from './hooks.ts'

export const live: readonly LiveReaction[] = [[BANK_LINES_CHANGED, refreshLines]]
