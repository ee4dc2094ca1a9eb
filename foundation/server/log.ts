import os from 'node:os'
import { pino } from 'pino'
import type { DestinationStream, Logger } from 'pino'
import { LogOutput, tolerateLostOutput } from './log-output.ts'
import { Secret } from './secret.ts'

export type Log = Logger
type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'

/**
 * Creates the log: one JSON object a line with an RFC 3339 time, on stdout by default. Each line names the process (`machine/pid`) and its
 * role, for readers of the logs of several processes. A value under a name that sounds like a secret is printed as `[redacted]` at any
 * depth: the attack is a reader of the log files who signs in with what is found there.
 */
export function createLog(options: { level: LogLevel; role?: string; destination?: DestinationStream }): Log {
  const settings = {
    level: options.level,
    base: { process: `${os.hostname()}/${process.pid}`, role: options.role ?? 'command' },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: {
      level: (label: string) => ({ level: label }),
      log: (entry: Record<string, unknown>) => fieldsWithoutSecrets(entry, 0),
    },
  }
  if (options.destination) return pino(settings, options.destination)
  const log = pino(
    settings,
    standardOutput((lines) => log.warn({ lines }, 'the log could not be written: lines were lost')),
  )
  return log
}

let standard: LogOutput | undefined

/** Standard output is one for all logs of a process. Gathered lines are written before an exit. */
function standardOutput(onBack: (lines: number) => void): LogOutput {
  if (standard) return standard
  const output = (standard = new LogOutput(1, onBack))
  process.on('exit', () => output.flushSync())
  tolerateLostOutput()
  return output
}

const secretName =
  /pass(word|phrase)|secret|token|authorization|cookie|credential|api_?key|private_?key|^(code|key|codes|keys)$/i
const deepest = 6

function withoutSecrets(value: unknown, depth: number): unknown {
  if (value === null || typeof value !== 'object') return typeof value === 'bigint' ? String(value) : value
  if (value instanceof Secret) return value.toJSON()
  if (value instanceof Error) return errorForLog(value)
  if (value instanceof Date) return value
  if (depth >= deepest) return '[deeper]'
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, depth + 1))
  // Requests and replies of the server have serializers of their own, which pino applies after this step.
  if (Object.getPrototypeOf(value) !== Object.prototype) return value
  return fieldsWithoutSecrets(value, depth)
}

const fieldsWithoutSecrets = (fields: object, depth: number): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, item]) => [
      name,
      secretName.test(name) && item !== undefined ? '[redacted]' : withoutSecrets(item, depth + 1),
    ]),
  )

/**
 * The fields of an error in the log: type, message, code, stack, cause. PostgreSQL's `detail`, `where` and
 * `parameters` stay out, because they quote rows: an address book for every reader of the log.
 */
function errorForLog(error: unknown): unknown {
  if (!(error instanceof Error)) return withoutSecrets(error, 1)
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {}
  const constraint =
    'constraint' in error && typeof error.constraint === 'string' ? { constraint: error.constraint } : {}
  const cause = error.cause === undefined ? {} : { cause: errorForLog(error.cause) }
  return { type: error.name, message: error.message, ...code, ...constraint, stack: error.stack, ...cause }
}
