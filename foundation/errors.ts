import type { ErrorCode } from '#texts/errors.js'

/** One refused field, or (without `param`) a refused request. `message` is English, for logs and curl only. */
export type ApiError = {
  code: ErrorCode
  param?: string
  message: string
  /** The header Retry-After in seconds. The browser's code adds it; the server never sends it in the body. */
  wait_s?: number
}

/** The body of every refusal. A contract may declare further fields for a status, which stand beside `errors`. */
export type ErrorBody = { status: number; errors?: ApiError[]; [detail: string]: unknown }

/**
 * The error codes of the transport, the parser and the access policy, by status: no contract repeats them. The subset that one
 * call may answer follows from its input and its access. Each code has a text `error_<code>` in foundation/messages.
 */
export const commonErrors = {
  400: [
    'required',
    'invalid',
    'max_length',
    'too_long',
    'null_characters_not_allowed',
    'unprintable_characters',
    'unreachable_email',
    'unknown_field',
    'invalid_json',
  ],
  401: ['not_authenticated'],
  403: [
    'not_allowed',
    'network_not_allowed',
    'two_factor_required',
    'account_blocked',
    'reauthentication_required',
    'read_only_view',
    'view_ended',
    'not_allowed_for_role',
    'session_required',
    'second_factor_required',
  ],
  404: ['not_found'],
  405: ['method_not_allowed'],
  413: ['too_large'],
  415: ['unsupported_media_type'],
  422: ['idempotency_key_reused'],
  429: ['too_many_requests'],
  500: ['server_error'],
  503: ['unavailable', 'cannot_save'],
} as const satisfies Record<number, readonly ErrorCode[]>
