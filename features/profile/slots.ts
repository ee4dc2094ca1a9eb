import { slot } from '#foundation/contract.ts'

/**
 * The slot for what the VAT id means for the VAT: beside the `saved` one, or beside a price, where it says only why VAT is
 * charged.
 */
export const vatIdNotice = slot<{ saved?: { vat_id: string; country: string } }>('profile.vat_id_notice')
