import type { VatProof } from '#features/invoices/server/vat-evidence-queries.ts'

/** Returns the proof that an authority confirmed a VAT id at that time. */
export const confirmedAt = (at: Date): VatProof => ({
  check: {
    verdict: 'valid',
    source: 'vies',
    answered_at: at,
    requester: 'DE123456789',
    consultation_number: 'WAPIAAAAXYZ',
  },
  override: null,
})
