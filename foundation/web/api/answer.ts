import type * as z from 'zod/mini'
import type { Route } from '#foundation/contract.ts'
import type { ApiError } from '#foundation/errors.ts'
import type { Answered } from './seen.ts'
import type { ErrorCode } from '#texts/errors.js'

/**
 * The fields of every answer. `errors` is empty if the call succeeded, or if the caller gave up an upload. Every other answer has at
 * least one error, also a 401 that asks for a step of the sign-in.
 */
type Common = { errors: readonly ApiError[]; requestId: string | undefined }

export type AnswerStatus = Common & { status: number; body: unknown }

/** The answer of a server that could not be reached. */
export const unreached: AnswerStatus = {
  status: 0,
  body: undefined,
  errors: [{ code: 'network', message: '' }],
  requestId: undefined,
}

type DeclaredStatus<R extends Route> = keyof R['replies'] & number

type Declared<R extends Route> = {
  [S in DeclaredStatus<R>]: Common &
    Answered & {
      status: S
      body: R['replies'][S] extends z.ZodMiniType ? z.output<R['replies'][S]> : undefined
    }
}[DeclaredStatus<R>]

/** The statuses that any call may end with besides those that its contract declares. 0 means that the server could not be reached. */
type AnyStatus =
  | 0
  | 206
  | 400
  | 401
  | 403
  | 404
  | 405
  | 409
  | 410
  | 413
  | 415
  | 422
  | 429
  | 500
  | 502
  | 503
  | 504

/** An answer whose status the contract does not declare: it has errors and no body. */
type FieldError<S extends number = AnyStatus> = Common & Answered & { status: S; body: undefined }

export type Answer<R extends Route> =
  | Declared<R>
  | { [S in Exclude<AnyStatus, DeclaredStatus<R>>]: FieldError<S> }[Exclude<AnyStatus, DeclaredStatus<R>>]

type Wire = {
  errors?: ApiError[] | ApiError
  code?: ErrorCode
  message?: string
  meta?: { is_authenticated?: boolean }
}

export async function readAnswer(response: Response): Promise<AnswerStatus> {
  const text = await response.text()
  const body = parse(text)
  const requestId = response.headers.get('X-Request-Id') ?? undefined
  return {
    status: response.status,
    body,
    errors: withWait(errorsOf(response.status, body), response.headers),
    requestId,
  }
}

/** Adds the wait of the header Retry-After to the errors of a refusal that passes with time. */
function withWait(errors: ApiError[], headers: Headers): ApiError[] {
  const wait_s = Number(headers.get('Retry-After'))
  return wait_s > 0 ? errors.map((error) => ({ ...error, wait_s })) : errors
}

/** Parses the body of an answer. Only refusals are read by the type `Wire`, and every refusal of the server has it. */
function parse(text: string): Wire | undefined
function parse(text: string): unknown {
  try {
    return text === '' ? undefined : (JSON.parse(text) as unknown)
  } catch {
    // The error page of a proxy has no JSON; its status is enough.
    return undefined
  }
}

/** Returns the errors of an answer. Every refusal has at least one, so that each page has an error to show. */
function errorsOf(status: number, body: Wire | undefined): ApiError[] {
  if (status < 400 && status !== 206) return []
  const listed = [body?.errors ?? []].flat()
  if (listed.length > 0) return listed
  // Row A-13: a multi-status answer is an error with the embedded code and message.
  if (status === 206) return [{ code: body?.code ?? 'unknown', message: body?.message ?? '' }]
  return [{ code: CODES[status] ?? (status >= 500 ? 'server_error' : 'unknown'), message: '' }]
}

const CODES: Readonly<Record<number, ErrorCode>> = {
  401: 'not_authenticated',
  403: 'not_allowed',
  404: 'not_found',
  405: 'method_not_allowed',
  409: 'conflict',
  410: 'session_ended',
  413: 'too_large',
  415: 'unsupported_media_type',
  429: 'too_many_requests',
  502: 'unavailable',
  503: 'unavailable',
  504: 'unavailable',
}

/** True for a failure that passes with time: no network, too many requests at once, or a server that is away. */
export const isPassing = (status: number): boolean => status === 0 || status === 429 || status >= 500
