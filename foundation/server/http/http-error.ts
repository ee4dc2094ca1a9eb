import type { ErrorCode } from '#texts/errors.js'

/** One refused field or request, before its English message is looked up. `note` follows the message. */
export type FieldError = { code: ErrorCode; param?: string; note?: string }

/**
 * An answer that refuses: thrown by handlers and by the machinery, turned into the error body by `serve`.
 * A code that neither the contract nor foundation/errors.ts declares is a fault of ours and answers 500.
 */
export class HttpError extends Error {
  readonly status: number
  readonly errors: readonly FieldError[]
  readonly retry_after_s: number | undefined
  /** The fields of the body besides the errors, as the contract's reply of this status declares them. */
  readonly details: Readonly<Record<string, unknown>> | undefined

  constructor(
    status: number,
    refusals: readonly FieldError[] = [],
    retryAfter_s?: number,
    details?: Readonly<Record<string, unknown>>,
  ) {
    super(`${status} ${refusals.map((refusal) => refusal.code).join(' ')}`)
    this.status = status
    this.errors = refusals
    this.retry_after_s = retryAfter_s
    this.details = details
  }
}

/** A 409 that shows the present state. It is thrown, not returned, so that the transaction is undone and no key is spent. */
export const conflictWith = (refusal: FieldError, details: Readonly<Record<string, unknown>>) =>
  new HttpError(409, [refusal], undefined, details)

/** Refuses one field (or, without `param`, the request) with 400. */
export const badRequest = (code: ErrorCode, param?: string) =>
  new HttpError(400, [param ? { code, param } : { code }])

/** The refusal of an action that a blocked customer may not do, with the message that staff wrote to the customer. */
export const blocked = ({ access_message: note }: { access_message: string }) =>
  new HttpError(403, [{ code: 'account_blocked', note }])

/** Foreign and unknown ids give the very same answer, so that an id reveals nothing. */
export const notFound = () => new HttpError(404, [{ code: 'not_found' }])
