import { lazyPart } from '#foundation/web/lazy-page.tsx'

/** The servers that others offer to a customer. It fills no slot: the list of slots is loaded by every visitor, before the sign-in. */
export const OfferedHosts = lazyPart(() => import('./offered-hosts.tsx').then((file) => file.OfferedHosts))

export { RenewKeyButton } from './renew-key-button.tsx'
export { useHostsByName } from './hosts-by-name.ts'
export {
  ConnectionStatus,
  connectionTexts,
  licenceEnd,
  LicenceStatus,
  licenceTexts,
  Suspended,
  timeLeft,
} from './status.tsx'
