import { paths } from '#features/paths.ts'
import type { PageRoute } from '#foundation/web/pages.ts'
import { m } from '#texts/messages.js'

export const routes: readonly PageRoute[] = [
  {
    path: paths.people.pattern,
    page: () => import('./people-page.tsx').then((file) => file.PeoplePage),
    title: m.sharing_title,
  },
  {
    path: paths.sharedHosts.pattern,
    page: () => import('./shared-hosts-page.tsx').then((file) => file.SharedHostsPage),
    title: m.sharing_all_servers,
  },
]
