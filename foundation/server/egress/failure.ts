import { errorCode } from '#foundation/server/error-code.ts'
import { REFUSED_ADDRESS } from './judged-lookup.ts'

/** The ways in which a URL gives no answer. */
export type Failure = 'address' | 'unknown_name' | 'unreachable' | 'tls' | 'cut' | 'slow' | 'not_http'

/** The kind of failure of an error of a request. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Error && error.name === 'TimeoutError') return 'slow'
  const code = codeOf(error)
  return (
    CODES[code] ?? (/CERT|TLS|SSL|SELF_SIGNED|ALTNAME|ISSUER/u.test(code) ? 'tls' : undefined) ?? other(code)
  )
}

const other = (code: string): Failure => (code.startsWith('HPE_') ? 'not_http' : 'unreachable')

/** The code of an error, or of the first of several, as of a name with several addresses. */
function codeOf(error: unknown): string {
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : undefined
  return errorCode(error) ?? errorCode(inner) ?? ''
}

const CODES: Readonly<Record<string, Failure>> = {
  [REFUSED_ADDRESS]: 'address',
  ENOTFOUND: 'unknown_name',
  ECONNRESET: 'cut',
  EPIPE: 'cut',
  ETIMEDOUT: 'unreachable',
}
