import { readFileSync } from 'node:fs'
import tls from 'node:tls'
import { CommanderError } from 'commander'
import { exitCodes, type ExitCode } from '#foundation/exit-codes.ts'
import { errorLines } from '#foundation/server/error-lines.ts'
import { TryLater } from '#foundation/server/operator-errors.ts'
import type { Answer } from './answer.ts'
import { printed } from './answer.ts'
import type { Command } from './command.ts'
import { exitCodeOf } from './exit-codes.ts'
import { buildProgram, type Common, type Given } from './program.ts'
import { typedWords } from './typed-words.ts'

// A reader such as `head` may close the pipe before the whole answer is written. An answer that a full disk did not take is none.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE' || running.product) return
  fail([`the answer could not be written: ${error.message}`], exitCodes.failed)
})

const running = { product: false }
const asJson = process.argv.includes('--json')
try {
  const typed = typedWords(process.argv.slice(2))
  await buildProgram({ execute, start }).parseAsync(typed.length > 0 ? typed : ['--help'], { from: 'user' })
} catch (error) {
  // Commander has printed the text of its error already. It throws such an error for help and version too, with the code 0.
  if (error instanceof CommanderError)
    process.exitCode = error.exitCode === 0 ? exitCodes.done : exitCodes.usage
  else fail(errorLines(error), exitCodeOf(error))
}
// Open connections of the queue and the database would keep the process alive. An error of a stream is told in the next turn.
if (!running.product) setImmediate(() => process.exit())

async function execute(command: Command, given: Given): Promise<void> {
  const answer = await answerOf(command, given).catch((error: unknown) => {
    const isUnknown = exitCodeOf(error) === exitCodes.failed
    throw command.passes && isUnknown ? new TryLater(errorLines(error)) : error
  })
  process.stdout.write(printed(answer, asJson))
  if (answer.failed) process.exitCode = exitCodes.failed
}

async function answerOf(command: Command, { parameters, options, settings }: Given): Promise<Answer> {
  if (settings !== undefined) readSettings(settings)
  const { createEnvironment } = await import('./environment.ts')
  const environment = await createEnvironment(command)
  try {
    return await command.run(environment, parameters, options)
  } finally {
    await environment.close()
  }
}

async function start({ settings }: Common): Promise<void> {
  if (settings !== undefined) readSettings(settings)
  running.product = true
  await import('../server/main.ts')
}

/** Reads settings from a file. A variable that the environment has already keeps its value. */
function readSettings(file: string): void {
  const { NODE_EXTRA_CA_CERTS: known } = process.env
  try {
    process.loadEnvFile(file)
    const { NODE_EXTRA_CA_CERTS: authorities } = process.env
    if (authorities && authorities !== known) trust(authorities)
  } catch (error) {
    throw new Error(`--settings: ${errorLines(error).join(' ')}`, { cause: error })
  }
}

/** Trusts the authorities that a settings file names in NODE_EXTRA_CA_CERTS: Node itself reads this variable only as it starts. */
function trust(file: string): void {
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), readFileSync(file, 'utf8')])
}

function fail(lines: string[], code: ExitCode): void {
  if (asJson) process.stdout.write(`${JSON.stringify({ error: lines.join('\n') })}\n`)
  else for (const line of lines) process.stderr.write(`hostdesk: ${line}\n`)
  process.exitCode = code
}
