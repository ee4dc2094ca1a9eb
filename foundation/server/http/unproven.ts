import { requiredProof, type Actor } from '#foundation/server/session/session.ts'
import { HttpError } from './http-error.ts'

/** The refusal of a product call that lacks a recent proof; `param` tells the page that a code or a passkey is asked for. */
export function unproven(actor: Actor): HttpError {
  const code = 'reauthentication_required'
  return new HttpError(403, [requiredProof(actor) === 'factor' ? { code, param: 'code' } : { code }])
}
