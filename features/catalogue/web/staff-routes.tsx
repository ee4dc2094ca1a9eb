import { paths } from '#features/paths.ts'
import type { StaffPageRoute } from '#foundation/web/pages.ts'

export const routes: readonly StaffPageRoute[] = [
  {
    path: paths.catalogue.pattern,
    page: () => import('./catalogue-page.tsx').then((file) => file.CataloguePage),
    staffOnly: 'catalogue.read',
  },
]
