import type { Handler } from '#foundation/server/http/handler.ts'
import type { PersonalData } from '#foundation/server/personal-data.ts'
import { acceptTerms, getTerms } from './legal.ts'
import { acceptancesOf } from './queries.ts'
import { withdrawalsOf } from './withdrawal-queries.ts'

export const routes: readonly Handler[] = [getTerms, acceptTerms]

// No reaction erases the evidence of a deleted account: it stays, as orders and invoices do, and holds nothing personal.
export const personalData: PersonalData = ({ db }, _tx, user_id) => ({
  'acceptances.json': () => acceptancesOf(db, user_id),
  'withdrawals.json': () => withdrawalsOf(db, user_id),
})
