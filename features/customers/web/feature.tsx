import { paths } from '#features/paths.ts'
import type { PageRoute } from '#foundation/web/pages.ts'

export const routes: readonly PageRoute[] = [
  {
    path: paths.stopReset.pattern,
    page: () => import('./stop-reset-page.tsx').then((file) => file.StopResetPage),
    authView: 'factor-reset',
    shell: false,
  },
]
