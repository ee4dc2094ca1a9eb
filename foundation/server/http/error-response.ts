import type { FastifyReply, FastifyRequest } from 'fastify'
import { errorCode } from '#foundation/server/error-code.ts'
import type { ApiError, ErrorBody } from '#foundation/errors.ts'
import type { App } from '#foundation/server/app.ts'
import { isFullDisk, noteFullDisk, refusesWrites } from '#foundation/server/full-disk.ts'
import { isUnavailable } from '#foundation/server/database/unavailable.ts'
import { logUnavailable } from '#foundation/server/operation/outage-log.ts'
import { englishText } from './english-text.ts'
import { HttpError, type FieldError } from './http-error.ts'

/** Turns a thrown error into an answer for a program: sets status and headers and returns the body's text. */
export function errorResponse(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
  style: 'product' | 'auth',
): string {
  const problem = beginErrorReply(app, request, reply, error)
  if (problem.status === 401 && style === 'product') reply.header('www-authenticate', 'Bearer')
  reply.header('content-type', 'application/json; charset=utf-8')
  return JSON.stringify(bodyOf(problem, style))
}

/**
 * Says which refusal answers a thrown error, and sets its status and headers. Only an `HttpError` is shown to the caller. Every other error is
 * a bug of ours: the log records it in full, and the caller gets only the request id.
 */
export function beginErrorReply(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
): HttpError {
  if (isFullDisk(error)) noteFullDisk(app)
  const problem = isAborted(request) ? new HttpError(400, [{ code: 'invalid' }]) : toHttpError(app, error)
  if (problem.status >= 500) logError(app, request.id, problem, error)
  if (problem.retry_after_s !== undefined) reply.header('retry-after', String(problem.retry_after_s))
  reply.code(problem.status)
  reply.header('cache-control', 'no-store')
  return problem
}

/** The caller hung up in the middle of the request: nobody is left to answer, and nothing of ours failed. */
const isAborted = ({ raw }: FastifyRequest): boolean => raw.destroyed && !raw.complete

/** A bug is logged with its stack. An unavailable database is not: under load such errors come by the thousand. */
function logError(app: App, request_id: string, { status }: HttpError, error: unknown): void {
  if (error instanceof HttpError && error.cause === undefined) return
  if (status === 503 && isUnavailable(error)) logUnavailable(app, { request_id }, error)
  else app.log.error({ request_id, err: error }, 'request failed')
}

function toHttpError(app: App, error: unknown): HttpError {
  if (error instanceof HttpError) return error
  // PostgreSQL itself goes away if its disk is full.
  if (isFullDisk(error) || (isUnavailable(error) && refusesWrites(app)))
    return new HttpError(503, [{ code: 'cannot_save' }], 30)
  if (isUnavailable(error)) return new HttpError(503, [{ code: 'unavailable' }], 2)
  const code = errorCode(error) ?? ''
  const known = transportErrors[code]
  if (known) return new HttpError(...known)
  const status =
    error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number'
      ? error.statusCode
      : 500
  return status >= 400 && status < 500
    ? new HttpError(status, [{ code: 'invalid' }])
    : new HttpError(500, [{ code: 'server_error' }])
}

// Errors that Fastify throws before a contract is read, by their code.
const transportErrors: Record<string, [status: number, refusals: FieldError[]]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, [{ code: 'unsupported_media_type' }]],
  FST_ERR_CTP_BODY_TOO_LARGE: [413, [{ code: 'too_large' }]],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [400, [{ code: 'invalid_json' }]],
  FST_ERR_CTP_INVALID_JSON_BODY: [400, [{ code: 'invalid_json' }]],
  FST_ERR_CTP_EMPTY_JSON_BODY: [400, [{ code: 'invalid_json' }]],
}

// The account calls answer these statuses by the status alone (auth contract section 2).
const bare = new Set([403, 404, 405, 409, 429])
// These codes are sent all the same: the first for row A-13; other clients never meet the last two, because only our pages open a view.
const spoken: readonly string[] = ['unverified_email', 'read_only_view', 'view_ended']

/** The body of a refusal; its `details` have been checked against the contract. */
export function bodyOf(
  { status, errors, details, retry_after_s }: HttpError,
  style: 'product' | 'auth',
): ErrorBody {
  if (
    errors.length === 0 ||
    (style === 'auth' && bare.has(status) && !errors.some(({ code }) => spoken.includes(code)))
  )
    return { status }
  return {
    status,
    errors: errors.map(({ note, ...error }): ApiError => ({
      ...error,
      message: [englishText(error.code, retry_after_s), note].filter(Boolean).join(' '),
    })),
    ...details,
  }
}
