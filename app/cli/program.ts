import { programVersion } from '#foundation/server/release.ts'
import { Command as Node } from 'commander'
import { exitCodesHelp } from '#foundation/exit-codes.ts'
import { commandLine } from '#foundation/server/command-line.ts'
import type { Command } from './command.ts'
import { commands, groups } from './commands.ts'
import type { Options } from './options.ts'

/** The options that every command has. `settings` is the path of the file that `--settings` names. */
export type Common = { settings?: string }

/** The parameters and options that were typed behind a command. */
export type Given = Common & { parameters: string[]; options: Options }

type Acts = { execute(command: Command, given: Given): Promise<void>; start(given: Common): Promise<void> }

/** Builds the parser of the command line. It throws CommanderError on wrong use, after it has printed one line on the error stream. */
export function buildProgram({ execute, start }: Acts): Node {
  const program = new Node(commandLine('').trim())
    .description('The command line of Hostdesk. Settings are environment variables, or lines of a file.')
    .version(programVersion, '-V, --version', 'print the version')
    .option('--settings <FILE>', 'read settings (NAME=value, a line each) from this file')
    .option('--json', 'print one JSON object')
    .helpOption('-h, --help', 'print this')
    .helpCommand('help [COMMAND]', 'print how a command is used')
    .exitOverride()
    .addHelpText('afterAll', `\n${exitCodesHelp}`)
    .configureHelp({ showGlobalOptions: true, subcommandDescription: aboutOf })
    .configureOutput({ outputError: (text, write) => write(asOneLine(text)) })
  program
    .command('start')
    .description('Starts the product and keeps running.')
    .action(() => start(program.opts()))
  for (const [name, command] of Object.entries(commands)) {
    const node = placeOf(program, name).description(command.about)
    for (const parameter of command.parameters) node.argument(`<${parameter}>`)
    for (const [flags, about] of Object.entries(command.options ?? {})) node.option(flags, about)
    node.action(() => execute(command, { ...program.opts(), parameters: node.args, options: node.opts() }))
  }
  return program
}

/** Adds a command to the tree: 'plan add' is the command `add` of the group `plan`. */
function placeOf(program: Node, name: string): Node {
  const [first = '', second] = name.split(' ')
  if (second === undefined) return program.command(first)
  const found = program.commands.find((known) => known.name() === first)
  return (found ?? program.command(first).description(groups[first] ?? '')).command(second)
}

/** Returns the line of a command in the help. The line of a group also names the commands of the group. */
const aboutOf = (node: Node): string =>
  [node.description(), node.commands.map((part) => part.name()).join(', ')].filter(Boolean).join(' ')

/** Returns commander's error, `error: unknown command 'x'` with a hint on the next line, as one line of ours. */
const asOneLine = (text: string): string =>
  `hostdesk: ${text
    .replace(/^error: /, '')
    .trim()
    .replace(/\n+/g, ' ')
    .replace(/\.$/, '')}. Run: ${commandLine('--help')}\n`
