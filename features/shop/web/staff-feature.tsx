import { catalogueShop } from '#features/catalogue/slots.ts'
import { provideSlot, type SlotEntry } from '#foundation/web/slots.tsx'

export const slots: readonly SlotEntry[] = [
  provideSlot(catalogueShop, () => import('./shop-address.tsx').then((file) => file.ShopAddress)),
]
