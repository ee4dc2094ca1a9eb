import { insertOverride } from '#features/invoices/server/override-queries.ts'
import type { VatProof } from '#features/invoices/server/vat-evidence-queries.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import type { TestApp } from './test-app.ts'

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

/** Staff believe that a customer lives in this place, whatever the facts say, so that its VAT is charged. */
export const believePlace = ({ app }: Pick<TestApp, 'app'>, user_id: string, place: string): Promise<void> =>
  transaction(app, 'system', (tx) =>
    insertOverride(tx, {
      user_id,
      treatment: 'resident',
      vat_id: '',
      place,
      valid_until: null,
      reason: 'Shown at the counter',
      by: null,
    }),
  )
