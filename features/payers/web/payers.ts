import type { Host } from '#features/hosts/contract.ts'
import { m } from '#texts/messages.js'
import { useAgreementsOf } from './hooks.ts'
import { otherSide } from './names.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'

/** The card that shows the owner the payer of a server. It is no slot, because everybody loads the list of slots, before they sign in. */
export const PayerCard = lazyPart<{ host: Host }>(() =>
  import('./payer-card.tsx').then((file) => file.PayerCard),
)

/** Returns the sentence that names the payer of all orders for a server; undefined if its owner pays for them. */
export function usePayerOfOrders(host: Host): string | undefined {
  const { data } = useAgreementsOf(host.id)
  const payer = data?.items.find(({ host_state, pays }) => host_state === 'paid' && pays === 'all')
  return payer && m.payers_card_by({ name: otherSide(payer) })
}
