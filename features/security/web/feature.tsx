import { paths } from '#features/paths.ts'
import type { PageRoute } from '#foundation/web/pages.ts'
import { m } from '#texts/messages.js'

export const routes: readonly PageRoute[] = [
  {
    path: paths.security.pattern,
    page: () => import('./profile-security-page.tsx').then((file) => file.ProfileSecurityPage),
    title: m.security_title,
    prefetch: () => import('./hooks.ts').then((file) => file.prefetchSecurity()),
  },
]

export const live = () => import('./live.ts').then((file) => file.live)
