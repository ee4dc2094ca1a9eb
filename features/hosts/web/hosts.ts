import { lazyPart } from '#foundation/web/lazy-page.tsx'

/** Servers that others offer to a customer, on the page about people. Not by a slot: the list of slots is loaded by everybody, before they sign in. */
export const OfferedHosts = lazyPart(() => import('./offered-hosts.tsx').then((file) => file.OfferedHosts))

export { useHostsByName } from './hosts-by-name.ts'
export { ConnectionStatus, LicenceStatus, timeLeft } from './status.tsx'
