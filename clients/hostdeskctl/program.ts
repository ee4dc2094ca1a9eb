import { Command } from 'commander'
import { exitCodesHelp } from '#foundation/exit-codes.ts'
import { anyCall } from './any-call.ts'
import type { Call } from './calls.ts'
import type { Context } from './context.ts'
import { follow } from './events.ts'
import { addCalls, groupIn } from './made-commands.ts'
import { login, logout } from './sign-in.ts'
import { listen } from './webhooks.ts'

const examples = `
Examples:
  hostdeskctl login https://account.example.com
  hostdeskctl hosts --licence expired
  hostdeskctl invoices get-pdf ID --output invoice.pdf
  hostdeskctl tickets create --subject "No answer" --message "…" --topic technical --attach log.txt
  hostdeskctl finances list-transactions --all | jq '.items[].amount'
  hostdeskctl events follow
  hostdeskctl api GET /api/hosts/

A table is printed on a terminal, JSON in a pipe. For jobs: HOSTDESK_URL and HOSTDESK_TOKEN instead of login.
`

/** Builds the parser of the command line. It throws CommanderError on wrong use, after it has printed one line on the error stream. */
export function buildProgram(calls: readonly Call[], version: string, context: Context): Command {
  const program = new Command('hostdeskctl')
    .usage('[options] <command>')
    .description(
      'Servers, licences, balance, invoices and tickets of an account, from a terminal or a script, by a token of the account.',
    )
    .version(version, '-V, --version', 'print the version')
    .option('--json', 'print JSON, also on a terminal')
    .option('--table', 'print a table, also in a pipe')
    .option('--columns <NAMES>', 'the columns of a table, with commas: name,licence.status')
    .option('--wait <SECONDS>', 'how long to wait where the server asks to come later', '60')
    .helpOption('-h, --help', 'print this')
    .helpCommand('help [COMMAND]', 'print how a command is used')
    .exitOverride()
    .addHelpText('after', ({ command }) => (command.parent ? '' : examples))
    .addHelpText('afterAll', `\n${exitCodesHelp}`)
    .configureHelp({ showGlobalOptions: true, subcommandDescription: aboutOf, subcommandTerm: termOf })
    .configureOutput({ outputError: (text, write) => write(asOneLine(text)) })
  context.common = () => program.opts()
  addSignIn(program, context)
  addCalls(program, calls, context)
  addEvents(program, context)
  return program
}

function addSignIn(program: Command, context: Context): void {
  program
    .command('login')
    .argument('[ADDRESS]', 'the address of your account area, such as https://account.example.com')
    .summary('Keeps a token for the commands that follow.')
    .description(
      'Keeps a token for the commands that follow, in a file that nobody else may read. The token is asked for, or read from the standard input; it is never a parameter. Make one in the account area under Settings → API.',
    )
    .action((address?: string) => login(context, address))
  program
    .command('logout')
    .description('Forgets the token.')
    .option('--end-token', 'end it, too, so that it is of no use to anybody')
    .action((options: { endToken?: true }) => logout(context, options))
  program
    .command('api')
    .argument('<METHOD>', 'GET, POST, PUT, PATCH or DELETE')
    .argument('<PATH>', 'the path of a call: /api/hosts/')
    .summary('Makes any call of the API.')
    .description(
      'Makes any call of the API, by its method and path, and prints its answer. The calls stand at /api/docs.',
    )
    .option('--body <JSON>', 'the body; @FILE for a file, - for the standard input')
    .option(
      '--query <NAME=VALUE>',
      'a parameter; may be repeated',
      (pair, before: string[]) => [...before, pair],
      [],
    )
    .option('--idempotency-key <KEY>', 'the same key makes the same thing once; without one it is made up')
    .option('-o, --output <FILE>', 'the file to write the answer to, - for the output')
    .action((method: string, path: string, options: object) => anyCall(context, method, path, options))
}

function addEvents(program: Command, context: Context): void {
  const reading = (command: Command) =>
    command
      .option('--type <KINDS>', 'these kinds alone, with commas: host.created,ticket.*')
      .option('--after <NUMBER>', 'begin behind this event instead of with the next one')
      .option('--every <SECONDS>', 'the pause between two questions', '2')
  reading(groupIn(program, 'events').command('follow'))
    .description('Prints events of the account as they happen, until it is interrupted.')
    .action((options: object) => follow(context, options))
  reading(groupIn(program, 'webhooks').command('listen'))
    .summary('Sends events to a program on this machine.')
    .description(
      'Sends events of the account to a program on this machine, each signed by Standard Webhooks with a secret of this machine, so that a receiver can be tried before the internet reaches it. An event that is not taken is sent again, four times within 44 seconds, before the next one.',
    )
    .requiredOption('--forward <URL>', 'where to send them, such as http://localhost:8080/hook')
    .option('--new-secret', 'make another secret instead of using the one of before')
    .action((options: object) => listen(context, options))
}

/** Returns the line of a command in the help. The line of a group also names the commands of the group. */
const aboutOf = (command: Command): string =>
  [command.summary() || command.description(), command.commands.map((part) => part.name()).join(', ')]
    .filter(Boolean)
    .join(' ')

/** Returns a command with its parameters and without `[options]`, which most commands have. */
const termOf = (command: Command): string =>
  [
    command.name(),
    ...command.registeredArguments.map((one) => (one.required ? `<${one.name()}>` : `[${one.name()}]`)),
  ].join(' ')

/** Returns commander's error, `error: unknown command 'x'` with a hint on the next line, as one line of ours. */
const asOneLine = (text: string): string =>
  `hostdeskctl: ${text
    .replace(/^error: /, '')
    .trim()
    .replaceAll(/\n+/g, ' ')
    .replace(/\.$/, '')}. Run: hostdeskctl --help\n`
