import type { App } from '#foundation/server/app.ts'
import type { TopUpRow } from '../top-up-queries.ts'
import type { ChargeAnswer, SavedMethod } from './provider.ts'
import { sendTestEvent } from './test-events.ts'
import { wayOf, type TestMethod } from './test-methods.ts'

export const testMethodKinds = ['card', 'sepa_debit', 'paypal'] as const

const nothing = { reason: '', isFinal: false, url: null } as const

/**
 * Charges a test method. Cards tell their end by an event before they answer, as a fast provider does; an event has its id from the payment,
 * so that a repeated charge tells the same. A debit is under way until somebody ends it on the page of its payment.
 */
export async function chargeTestMethod(
  app: App,
  { public_id, status }: TopUpRow,
  { provider_ref }: SavedMethod,
  back?: string,
): Promise<ChargeAnswer> {
  const reference = `test-charge-${public_id}`
  if (status === 'paid') return { state: 'paid', reference, ...nothing }
  const event = { id: reference, top_up: public_id }
  const declined = async (reason: string, isFinal: boolean): Promise<ChargeAnswer> => {
    await sendTestEvent(app, { ...event, kind: 'failed', reason, stops_method: isFinal })
    return { state: 'declined', reference, reason, isFinal, url: null }
  }
  const ways: Record<TestMethod, () => Promise<ChargeAnswer>> = {
    pays: async () => {
      await sendTestEvent(app, { ...event, kind: 'paid' })
      return { state: 'paid', reference, ...nothing }
    },
    paypal: async () => ways.pays(),
    declines: () => declined('insufficient_funds', false),
    lost: () => declined('lost_card', true),
    asks: async () => {
      const url = back === undefined ? null : pageOf(public_id)
      return { ...nothing, state: 'action_needed', reference, url }
    },
    debit: async () => ({ state: 'under_way', reference, ...nothing }),
  }
  return ways[wayOf(provider_ref)]()
}

/** Tells the end of a test charge once more; undefined if it was never answered, because a lost answer has sent its event before. */
export const endTestCharge = async (
  app: App,
  payment: TopUpRow,
  method: SavedMethod,
): Promise<ChargeAnswer | undefined> =>
  payment.charge_reference === null ? undefined : chargeTestMethod(app, payment, method)

export const finishTestCharge = async (_app: App, { public_id, status }: TopUpRow): Promise<string | null> =>
  status === 'pending' ? pageOf(public_id) : null

const pageOf = (public_id: string) => `/dev/pay/${public_id}`
