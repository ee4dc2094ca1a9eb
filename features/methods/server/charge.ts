import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { must } from '#foundation/must.ts'
import { PAGES_BASE } from '#foundation/page-path.ts'
import {
  topUpOf,
  providerCalled,
  returnPath,
  setCharge,
  type ChargeAnswer,
  type TopUpRow,
} from '#features/finance/server/finance.ts'
import { isExpired } from '#features/methods/rules.ts'
import { stopMethod } from './changes.ts'
import * as queries from './queries.ts'
import type { MethodRow } from './queries.ts'
import { savedMethod } from './references.ts'

/** True if a method may be charged now. */
export const isUsable = ({ state, expires }: Pick<MethodRow, 'state' | 'expires'>): boolean =>
  state === 'active' && !isExpired(expires, new Date())

/** `isOver` is true of a decline of which no event will tell: whoever waits for the payment ends it by this answer. */
type Charged = ChargeAnswer & { isOver: boolean }

/**
 * Charges a committed payment to the saved method that it names, outside of any transaction. Called again, it asks for the same charge. The
 * answer books nothing: only the provider's signed event does (rule 14). `isThere` is true where the customer waits for the answer, and can be
 * led to a page. A method that may not be charged any more declines. Throws what the provider throws where it says nothing definite.
 */
export async function chargeSaved(
  app: App,
  user_id: string,
  top_up: string,
  { isThere }: { isThere: boolean },
): Promise<Charged> {
  const { topUp, method } = await chargeOf(app, user_id, top_up)
  if (topUp.status !== 'pending') return { ...answerFor(topUp), isOver: false }
  const saved = method && isUsable(method) ? savedMethod(app, method) : undefined
  if (!method || !saved) {
    // A debit that is under way ends by itself; a card that waits for its holder to allow it waits in vain.
    const isOver = topUp.charge_reference === null || method?.kind !== 'sepa_debit'
    return { ...answerFor(topUp), state: 'declined', reason: 'method_not_usable', isOver }
  }
  const charge = must(providerCalled(topUp.provider).charge)
  const answer = await charge(app, topUp, saved, isThere ? backFrom(app, topUp) : undefined)
  await transaction(app, 'system', async (tx) => {
    if (answer.reference !== null && answer.reference !== topUp.charge_reference)
      await setCharge(tx, topUp.id, answer.reference)
    if (answer.isFinal) await stopMethod(app, tx, method.id, 'declined')
  })
  // A provider that has made no charge has nothing to tell of.
  return { ...answer, isOver: answer.state === 'declined' && answer.reference === null }
}

/**
 * The end of a charge that is wanted no more: `over` if it moves no money, now or later; `moving` if it may, of which the provider's event tells;
 * `unknown` where the provider cannot be asked for it any more.
 */
type ChargeEnd = 'over' | 'moving' | 'unknown'

/** The longest time that a call for a charge is under way: a charge that its provider does not know after that was never made. */
export const CHARGE_SETTLED_S = 600

/**
 * Asks the provider for the charge of a payment that is wanted no more, outside of any transaction; it makes none, and ends one that waits for its
 * customer. The caller makes sure that nothing has asked for the charge for CHARGE_SETTLED_S. Throws what the provider throws.
 */
export async function endCharge(app: App, user_id: string, top_up: string): Promise<ChargeEnd> {
  const { topUp, method } = await chargeOf(app, user_id, top_up)
  if (topUp.status === 'failed') return 'over'
  if (topUp.status === 'paid' || topUp.status === 'charged_back') return 'moving'
  // A method that is removed takes along what its provider knows it by.
  const saved = method && method.state !== 'removed' ? savedMethod(app, method) : undefined
  if (!saved) return 'unknown'
  const answer = await must(providerCalled(topUp.provider).endCharge)(app, topUp, saved)
  return answer === undefined || answer.state === 'declined' ? 'over' : 'moving'
}

/** Returns the page on which the customer allows a charge that waits for it; null if there is nothing to allow. */
export async function chargePage(app: App, user_id: string, top_up: string): Promise<string | null> {
  const { topUp, method } = await chargeOf(app, user_id, top_up)
  const saved = method && savedMethod(app, method)
  if (topUp.status !== 'pending' || !saved) return null
  const { finishCharge } = providerCalled(topUp.provider)
  return (await finishCharge?.(app, topUp, saved, backFrom(app, topUp))) ?? null
}

async function chargeOf(app: App, user_id: string, top_up: string) {
  const topUp = must(await topUpOf(app.db, user_id, top_up), 'payment')
  return { topUp, method: await queries.methodWithId(app.db, must(topUp.method_id)) }
}

/** The answer for a payment that has ended, or is told by its event already. */
const answerFor = ({ status, charge_reference }: TopUpRow): ChargeAnswer => ({
  state: status === 'paid' ? 'paid' : 'declined',
  reference: charge_reference,
  reason: '',
  isFinal: false,
  url: null,
})

const backFrom = ({ config }: App, topUp: TopUpRow) =>
  `${config.publicOrigin}${PAGES_BASE}${returnPath(topUp)}`
