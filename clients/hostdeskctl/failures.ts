import { exitCodes, type ExitCode } from '#foundation/exit-codes.ts'

/** Something for the person at the terminal: its lines go to the error stream, its code to the shell. */
export class Failure extends Error {
  readonly code: ExitCode
  /** The answer of the API, if there was one. */
  readonly answer: unknown

  constructor(message: string, code: ExitCode, answer?: unknown) {
    super(message)
    this.code = code
    this.answer = answer
  }
}

/** A word was typed in a form that no call takes. */
export class WrongUse extends Failure {
  constructor(message: string) {
    super(message, exitCodes.usage)
  }
}

/** Nobody answers at the address, or not in time: the same command may succeed later. */
export class TryLater extends Failure {
  constructor(message: string) {
    super(message, exitCodes.tryLater)
  }
}
