import { inspect } from 'node:util'

/**
 * A string that cannot be printed by accident: template literals, JSON, `inspect` and the log all show `[redacted]`.
 * The value lives in a private field, so that a deep copy or a spread does not carry it either.
 */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  /** The value itself. Call it only where the value is used, never to store it. */
  reveal(): string {
    return this.#value
  }

  toString(): string {
    return '[redacted]'
  }

  toJSON(): string {
    return '[redacted]'
  }

  [inspect.custom](): string {
    return '[redacted]'
  }
}
