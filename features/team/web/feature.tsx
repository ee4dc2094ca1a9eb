import { paths } from '#features/paths.ts'
import type { PageRoute } from '#foundation/web/pages.ts'

export const routes: readonly PageRoute[] = [
  {
    path: paths.invitation.pattern,
    page: () => import('./invitation-page.tsx').then((file) => file.InvitationPage),
  },
]
