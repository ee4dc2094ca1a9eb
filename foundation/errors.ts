import type { ErrorCode } from '#texts/errors.js'

/** One refused field, or (without `param`) a refused request. `message` is English, for logs and curl only. */
export type ApiError = {
  code: ErrorCode
  param?: string
  message: string
  /** Added by the browser's side, from Retry-After. */
  wait_s?: number
}

/** The body of every refusal. A contract may declare more at a status; that is then beside the errors. */
export type ErrorBody = { status: number; errors?: ApiError[]; [detail: string]: unknown }

/**
 * The codes that come from the transport, the parser or the policy, by status: no contract repeats them. The codes that a
 * call may answer follow from what it takes and who may call it. Each has a text `error_<code>` in foundation/messages.
 */
export const commonErrors = {
  400: [
    'required',
    'invalid',
    'max_length',
    'too_long',
    'null_characters_not_allowed',
    'unprintable_characters',
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
    'second_factor_required',
  ],
  404: ['not_found'],
  405: ['method_not_allowed'],
  413: ['too_large'],
  415: ['unsupported_media_type'],
  422: ['idempotency_key_reused'],
  429: ['too_many_requests'],
  500: ['server_error'],
  503: ['unavailable'],
} as const satisfies Record<number, readonly ErrorCode[]>
