/** Settings or surroundings the process cannot start with: one clear line each, saying what is wrong and what to set. */
export class ConfigError extends Error {
  readonly lines: string[]

  constructor(lines: string[]) {
    super(lines.join('\n'))
    this.name = 'ConfigError'
    this.lines = lines
  }
}
