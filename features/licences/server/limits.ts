import type { App } from '#foundation/server/app.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { count, type LimitName } from '#foundation/server/limits/limits.ts'

/** Counts a question with a licence key that exists; throws 429. The seats of a floating licence are counted one by one. */
export const countQuestion = (app: App, licence_key: string, seat?: string): Promise<void> =>
  countOrRefuse(app, 'validate_licence', seat === undefined ? licence_key : `${licence_key} ${seat}`)

/** Counts a question with a key that no licence has; throws 429. */
export const countUnknownKey = (app: App, ip: string): Promise<void> =>
  countOrRefuse(app, 'unknown_licence', ip)

async function countOrRefuse(app: App, limit: LimitName, key: string): Promise<void> {
  const { allowed, retry_after_s } = await count(app, app.db, limit, key)
  if (!allowed) throw new HttpError(429, [{ code: 'too_many_requests' }], retry_after_s)
}
