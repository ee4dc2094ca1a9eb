import { CommanderError } from 'commander'
import { exitCodes, type ExitCode } from '#foundation/exit-codes.ts'
import type { Call } from './calls.ts'
import { Context } from './context.ts'
import { Failure } from './failures.ts'
import { plainJson } from './plain-text.ts'
import { buildProgram } from './program.ts'
import { typedWords } from './typed-words.ts'

// The build puts them in: the calls of the API document of this release, and its version.
declare const CALLS: readonly Call[]
declare const VERSION: string

// A reader such as `head` may close the pipe before the whole answer is written.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit()
  fail(`The answer could not be written: ${error.message}`, exitCodes.failed)
})

const typed = process.argv.slice(2)
const context = new Context(process.env, VERSION)
try {
  const program = buildProgram(CALLS, VERSION, context)
  await program.parseAsync(typed.length > 0 ? typedWords(typed) : ['--help'], { from: 'user' })
} catch (error) {
  // Commander has printed the text of its error already. It throws such an error for help and version too, with the code 0.
  if (error instanceof CommanderError)
    process.exitCode = error.exitCode === 0 ? exitCodes.done : exitCodes.usage
  else if (error instanceof Failure) fail(error.message, error.code, error.answer)
  else fail(error instanceof Error ? error.message : String(error), exitCodes.failed)
}

/** Tells why a command failed. `--json` gives the answer of the API, or the same lines as one object, to the output. */
function fail(message: string, code: ExitCode, answer: unknown = { error: message }): void {
  if (typed.includes('--json')) process.stdout.write(`${plainJson(JSON.stringify(answer))}\n`)
  else for (const line of message.split('\n')) context.say(line)
  process.exitCode = code
}
