import { orderTerms, signUpTerms } from '#features/legal/slots.ts'
import { provideSlot, type SlotEntry } from '#foundation/web/slots.tsx'

/** The slots of this feature, which it fills itself: its boxes in the forms of other features. */
export const slots: readonly SlotEntry[] = [
  provideSlot(signUpTerms, () => import('./sign-up-terms.tsx').then((file) => file.SignUpTerms)),
  provideSlot(orderTerms, () => import('./order-terms.tsx').then((file) => file.OrderTerms)),
]
