import { BALANCE_CHANGED } from '#features/finance/contract.ts'
import type { LiveReaction } from '#foundation/web/realtime/subscriptions.ts'
import { refreshAutoTopUp } from './hooks.ts'

export const live: readonly LiveReaction[] = [[BALANCE_CHANGED, refreshAutoTopUp]]
