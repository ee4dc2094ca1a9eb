import { slot } from '#foundation/contract.ts'

/** The slot for the question where somebody lives, above the saved address on which their VAT depends. */
export const placeQuestion = slot<{ saved: { country: string; zip: string; city: string; vat_id: string } }>(
  'profile.place_question',
)

/**
 * The slot for a notice that says what a VAT id means for the VAT. With `saved` it is about the saved VAT id; without it (beside a
 * price) it says only why VAT is charged.
 */
export const vatIdNotice = slot<{ saved?: { vat_id: string; country: string } }>('profile.vat_id_notice')
