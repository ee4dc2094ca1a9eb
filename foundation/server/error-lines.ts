import { ConfigError } from './config-error.ts'
import { messageOf } from './error-code.ts'

/** Returns an error as lines for the terminal of an operator, without a stack. A failed connection may hold several errors. */
export function errorLines(error: unknown): string[] {
  if (error instanceof ConfigError) return error.lines
  if (error instanceof AggregateError && error.errors.length > 0)
    return [...new Set(error.errors.flatMap(errorLines))]
  return (messageOf(error) || 'It failed without saying why.').split('\n')
}
