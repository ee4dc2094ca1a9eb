import ShoppingBag from 'lucide-react/icons/shopping-bag'
import { paths } from '#features/paths.ts'
import type { StaffPageRoute } from '#foundation/web/pages.ts'
import { m } from '#texts/messages.js'

export const routes: readonly StaffPageRoute[] = [
  {
    path: paths.catalogue.pattern,
    page: () => import('./catalogue-page.tsx').then((file) => file.CataloguePage),
    staffOnly: 'catalogue.read',
    menu: { text: m.catalogue_title, icon: ShoppingBag, group: 'shop', keys: 'g l' },
  },
]
