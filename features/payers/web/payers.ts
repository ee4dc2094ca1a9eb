import type { Host } from '#features/hosts/contract.ts'
import { lazyPage } from '#foundation/web/lazy-page.tsx'

/** Who pays for a server, for its owner. Not by a slot: the list of slots is loaded by everybody, before they sign in. */
export const PayerCard = lazyPage<{ host: Host }>(() =>
  import('./payer-card.tsx').then((file) => file.PayerCard),
)
