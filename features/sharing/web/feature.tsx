import { hostPeople } from '#features/hosts/slots.ts'
import { paths } from '#features/paths.ts'
import type { PageRoute } from '#foundation/web/pages.ts'
import { provideSlot, type SlotEntry } from '#foundation/web/slots.tsx'
import { m } from '#texts/messages.js'

export const routes: readonly PageRoute[] = [
  {
    path: paths.people.pattern,
    page: () => import('./people-page.tsx').then((file) => file.PeoplePage),
    title: m.sharing_title,
  },
  {
    path: paths.api.pattern,
    page: () => import('./api-page.tsx').then((file) => file.ApiPage),
    title: m.shell_api,
  },
  {
    path: paths.sharedHosts.pattern,
    page: () => import('./shared-hosts-page.tsx').then((file) => file.SharedHostsPage),
    title: m.sharing_all_servers,
  },
]

/** The slot filled by sharing: the people who have seen the keys of a server. */
export const slots: readonly SlotEntry[] = [
  provideSlot(hostPeople, () => import('./past-access.tsx').then((file) => file.PastAccess)),
]

export const live = () => import('./live.ts').then((file) => file.live)
