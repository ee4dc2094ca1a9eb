import { orderTerms, signUpTerms } from '#features/legal/slots.ts'
import { provideSlot, type SlotEntry } from '#foundation/web/slots.tsx'

/** Slots that this feature fills itself: its boxes in the forms of features below. */
export const slots: readonly SlotEntry[] = [
  provideSlot(signUpTerms, () => import('./sign-up-terms.tsx').then((file) => file.SignUpTerms)),
  provideSlot(orderTerms, () => import('./order-terms.tsx').then((file) => file.OrderTerms)),
]
