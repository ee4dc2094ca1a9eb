import type { App } from '#foundation/server/app.ts'
import { isRecent, requiredProof, type Actor } from '#foundation/server/session/session.ts'
import { HttpError } from './http-error.ts'

/**
 * Refuses a product call without a recent proof of identity; `param` tells the page that a code or a passkey is asked for. The attack is
 * somebody at a screen that was left open, who promises the customer's money or gives a server away.
 */
export function assertRecent(app: App, actor: Actor): void {
  if (isRecent(app, actor)) return
  const code = 'reauthentication_required'
  throw new HttpError(403, [requiredProof(actor) === 'factor' ? { code, param: 'code' } : { code }])
}
