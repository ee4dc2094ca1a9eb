import { paths } from '#features/paths.ts'
import type { PageRoute } from '#foundation/web/pages.ts'
import { m } from '#texts/messages.js'

export const routes: readonly PageRoute[] = [
  {
    path: paths.account.pattern,
    page: () => import('./profile-page.tsx').then((file) => file.ProfilePage),
    title: m.profile_title,
    prefetch: () => import('./profile-page.tsx').then((file) => file.fetchProfile()),
  },
  {
    path: paths.dataExport.pattern,
    page: () => import('./export-page.tsx').then((file) => file.ExportPage),
    authView: 'data-export',
    shell: false,
  },
  {
    path: paths.stopNews.pattern,
    page: () => import('./stop-news-page.tsx').then((file) => file.StopNewsPage),
    authView: 'stop-news',
    shell: false,
  },
]

export const live = () => import('./live.ts').then((file) => file.live)
