import type { PageRoute } from '#foundation/web/pages.ts'
import { m } from '#texts/messages.js'

export const routes: readonly PageRoute[] = [
  {
    path: '/servers/list',
    page: () => import('./host-page.tsx').then((file) => file.HostPage),
    title: m.shell_servers,
    prefetch: () => import('./hooks.ts').then((file) => file.prefetchHosts()),
  },
  {
    path: '/servers/host/$hostId',
    page: () => import('./host-details-page.tsx').then((file) => file.HostDetailsPage),
    title: m.shell_server,
    mobileHeader: 'spacer',
    prefetch: ({ hostId = '' }) => import('./hooks.ts').then((file) => file.prefetchHost(hostId)),
  },
]
