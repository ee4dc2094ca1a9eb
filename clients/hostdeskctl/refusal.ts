import { exitCodes, type ExitCode } from '#foundation/exit-codes.ts'
import { Failure } from './failures.ts'
import { fieldIn, jsonIn, textIn } from './json.ts'
import { plainText } from './plain-text.ts'

/** Returns the failure that an answer above 299 is: a line for each error, with its status, code, field and text. */
export async function refusalOf(response: Response): Promise<Failure> {
  const text = await response.text().catch(() => '')
  const answer = jsonIn(text)
  const errors = errorsIn(answer)
  const { status, headers } = response
  const lines = errors.map(({ code, param, message }) =>
    [`${status} ${code}`, ...(param === undefined ? [] : [`field ${param}`]), message].join(': '),
  )
  if (lines.length === 0) lines.push(`${status} ${response.statusText}`.trim())
  if (status === 401) lines.push('The token is unknown or has ended. Run: hostdeskctl login')
  if (status === 429 || status === 503) lines.push(...laterLine(headers.get('retry-after')))
  const request = headers.get('x-request-id')
  if (status >= 500 && request !== null) lines.push(`The operator finds it by the request ${request}.`)
  return new Failure(lines.map(plainText).join('\n'), codeOf(status), answer ?? { status, errors: [] })
}

const laterLine = (seconds: string | null): string[] =>
  seconds === null ? [] : [`Ask again after ${seconds} s, or let this command wait: --wait ${seconds}`]

/** Returns the exit code for a status. A proxy says 502 and 504 while nobody stands behind it. */
function codeOf(status: number): ExitCode {
  if (status === 404) return exitCodes.notFound
  if ([429, 502, 503, 504].includes(status)) return exitCodes.tryLater
  return status >= 500 ? exitCodes.failed : exitCodes.refused
}

type ApiError = { code: string; message: string; param: string | undefined }

function errorsIn(answer: unknown): ApiError[] {
  const errors = fieldIn(answer, 'errors')
  if (!Array.isArray(errors)) return []
  return errors.map((error: unknown) => ({
    code: textIn(error, 'code') ?? '',
    message: textIn(error, 'message') ?? '',
    param: textIn(error, 'param'),
  }))
}
