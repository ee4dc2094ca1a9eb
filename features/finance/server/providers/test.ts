import type { Provider } from './provider.ts'
import { chargeTestMethod, endTestCharge, finishTestCharge, testMethodKinds } from './test-charges.ts'
import { readTestEvent } from './test-events.ts'

/** Accepts payments without money, to try the product out: a page of our own instead of a bank's. Never in production. */
export const test: Provider = {
  name: 'test',
  begin: async (_app, { public_id }) => `/dev/pay/${public_id}`,
  refund: async (_app, _payment, { payout }) => ({ state: 'sent', reference: `test-${payout}`, reason: '' }),
  methodKinds: () => testMethodKinds,
  saveMethod: async (_app, { id, kind, locale }) => `/dev/pay/methods/${id}?kind=${kind}&locale=${locale}`,
  charge: chargeTestMethod,
  finishCharge: finishTestCharge,
  endCharge: endTestCharge,
  forgetMethod: async () => undefined,
  readEvent: readTestEvent,
}
