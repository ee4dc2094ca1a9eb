import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'
import type { Options } from './options.ts'

export type Command = {
  about: string
  parameters: string[]
  /** The options by their flags, each with its help. */
  options?: Record<string, string>
  /** False where the PostgreSQL that comes along must not be started for it. */
  withDatabase?: boolean
  run(environment: CommandEnvironment, parameters: readonly string[], options: Options): Promise<Answer>
}
