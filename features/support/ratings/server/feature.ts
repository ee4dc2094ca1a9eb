import type { Handler } from '#foundation/server/http/handler.ts'
import type { PersonalData } from '#foundation/server/personal-data.ts'
import { ratingsBy } from './queries.ts'
import { getRating, listRatings, rateTicket } from './ratings.ts'
import { readSupportReport } from './report.ts'

export const routes: readonly Handler[] = [getRating, rateTicket, listRatings, readSupportReport]

export const personalData: PersonalData = (app, _tx, user_id) => ({
  'ratings.json': () => ratingsBy(app.db, user_id),
})
