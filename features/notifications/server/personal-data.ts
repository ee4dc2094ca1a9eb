import type { PersonalData } from '#foundation/server/personal-data.ts'
import { choicesOf, notificationsOf } from './queries.ts'
import { subscriptionsOf } from './push-queries.ts'
import { MOST_KEPT } from '#features/notifications/rules.ts'

export const personalData: PersonalData = (app, _tx, user_id) => ({
  'notifications.json': async () => {
    const rows = await notificationsOf(app.db, user_id, { at: undefined, id: undefined, limit: MOST_KEPT })
    return {
      items: rows.map(({ kind, link, facts, count, happened_at, is_read }) => ({
        kind,
        link,
        facts,
        count,
        happened_at,
        is_read,
      })),
      browsers: (await subscriptionsOf(app.db, user_id)).map(({ endpoint }) => ({ endpoint })),
      choices: (await choicesOf(app.db, user_id)) ?? null,
    }
  },
})
