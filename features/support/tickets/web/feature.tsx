import { hostTickets } from '#features/hosts/slots.ts'
import { paths } from '#features/paths.ts'
import type { PageRoute } from '#foundation/web/pages.ts'
import { provideSlot, type SlotEntry } from '#foundation/web/slots.tsx'
import { m } from '#texts/messages.js'

/** Row R-04: `/support/…` is another name of the same pages. */
export const routes: readonly PageRoute[] = [paths.tickets, paths.support].map(({ pattern }) => ({
  path: pattern,
  page: () => import('./tickets-user-page.tsx').then((file) => file.TicketsUserPage),
  title: m.tickets_title,
}))

/** The tickets about a server, on its page. */
export const slots: readonly SlotEntry[] = [
  provideSlot(hostTickets, () => import('./host-tickets.tsx').then((file) => file.HostTickets)),
]

export const live = () => import('./live.ts').then((file) => file.live)
