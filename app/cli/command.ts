import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'
import type { Options } from './options.ts'

export type Command = {
  about: string
  parameters: string[]
  /** The help text of each option, by the option's flags. */
  options?: Record<string, string>
  /** False if the embedded PostgreSQL must not be started for the command. */
  withDatabase?: boolean
  /** True if a failure that it does not expect passes: whoever called it tries again. */
  passes?: true
  run(environment: CommandEnvironment, parameters: readonly string[], options: Options): Promise<Answer>
}
