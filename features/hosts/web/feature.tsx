import { paths } from '#features/paths.ts'
import { moreSettings } from '#features/profile/slots.ts'
import { provideSlot, type SlotEntry } from '#foundation/web/slots.tsx'
import type { PageRoute } from '#foundation/web/pages.ts'
import { m } from '#texts/messages.js'

export const routes: readonly PageRoute[] = [
  {
    path: paths.hosts.pattern,
    page: () => import('./host-page.tsx').then((file) => file.HostPage),
    title: m.shell_servers,
    prefetch: () => import('./hooks.ts').then((file) => file.prefetchHosts()),
  },
  {
    path: paths.host.pattern,
    page: () => import('./host-details-page.tsx').then((file) => file.HostDetailsPage),
    title: m.shell_server,
    mobileHeader: 'spacer',
    prefetch: ({ hostId = '' }) => import('./hooks.ts').then((file) => file.prefetchHost(hostId)),
  },
]

/** The slot filled by hosts: when alerts open, in the settings of the account. */
export const slots: readonly SlotEntry[] = [
  provideSlot(moreSettings, () => import('./account-alerts.tsx').then((file) => file.AccountAlerts)),
]

export const live = () => import('./live.ts').then((file) => file.live)
