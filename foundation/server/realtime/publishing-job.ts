import { transaction } from '#foundation/server/database/transaction.ts'
import type { JobKind } from '#foundation/server/jobs/classes.ts'
import { job, type Job } from '#foundation/server/jobs/jobs.ts'
import type { LiveEvent } from './live-event.ts'
import { publish, type Audience } from './publish.ts'

/**
 * Returns the job that publishes the event of a transaction that moved money: such a transaction must not publish itself, because NOTIFY
 * makes commits take turns. Many of these jobs that are due at once publish in one transaction.
 */
export function publishing<Payload>(
  kind: JobKind,
  eventOf: (payload: Payload) => { user_id: string; event: LiveEvent; audience?: Audience },
): Job<Payload> {
  const publishAll: NonNullable<Job<Payload>['together']> = (app, payloads) =>
    transaction(app, 'system', async (tx) => {
      for (const { user_id, event, audience } of payloads.map(eventOf))
        await publish(tx, user_id, event, audience)
      return []
    })
  return job(kind, async (app, payload) => void (await publishAll(app, [payload])), publishAll)
}
