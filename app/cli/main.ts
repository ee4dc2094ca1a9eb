import { createEnvironment } from './environment.ts'
import { ConfigError } from '#foundation/server/config-error.ts'
import { commands, help } from './commands.ts'

// `npm run hostdesk -- COMMAND …`; a command has one word or two.
const [first = 'help', ...rest] = process.argv.slice(2)
const pair = `${first} ${rest[0]}`
const [name, parameters] = pair in commands ? [pair, rest.slice(1)] : [first, rest]
const command = commands[name]

try {
  if (name === 'help') process.stdout.write(help())
  else if (!command) fail([`There is no command '${name}'. Run: npm run hostdesk -- help`])
  else if (parameters.length !== command.parameters.length)
    fail([`Usage: npm run hostdesk -- ${[name, ...command.parameters].join(' ')}`])
  else await execute()
} catch (error) {
  fail(error instanceof ConfigError ? error.lines : [error instanceof Error ? error.message : String(error)])
}
// The queue's and the database's connections may linger; nothing waits for them.
process.exit()

async function execute(): Promise<void> {
  const surroundings = await createEnvironment()
  try {
    await command?.run(surroundings, ...parameters)
  } finally {
    await surroundings.close()
  }
}

function fail(lines: string[]): void {
  for (const line of lines) process.stderr.write(`hostdesk: ${line}\n`)
  process.exitCode = 1
}
