import { slot } from '#foundation/contract.ts'
import type { Money } from '#foundation/money.ts'

/** The slot for the question where somebody lives, above the saved address on which their VAT depends. */
export const placeQuestion = slot<{ saved: { country: string; zip: string; city: string; vat_id: string } }>(
  'profile.place_question',
)

/**
 * The slot for a notice that says what a VAT id means for the VAT. With `saved` it is about the saved VAT id; without it (beside a
 * price) it says only why VAT is charged.
 */
export const vatIdNotice = slot<{ saved?: { vat_id: string; country: string } }>('profile.vat_id_notice')

/** The slot for settings of other features, behind the mails that may be switched off. */
export const moreSettings = slot<object>('profile.more_settings')

/** The slot that tells the dialog which deletes the account of the balance that would be lost, before the person confirms. */
export const balanceAtStake = slot<{ onFound: (balance: Money, gift: Money) => void }>(
  'profile.balance_at_stake',
)
