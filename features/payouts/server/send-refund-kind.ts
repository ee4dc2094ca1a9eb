import { jobKind } from '#foundation/server/jobs/classes.ts'

/** The job that asks a provider to give a payment back. */
export const SEND_REFUND = jobKind('send_refund', 'money')

/** The key under which at most one such job of a payout waits. */
export const refundKey = (payout: string): string => `refund:${payout}`
