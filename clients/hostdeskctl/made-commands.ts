import type { Command } from 'commander'
import type { Call } from './calls.ts'
import type { Context } from './context.ts'
import { WrongUse } from './failures.ts'
import { makeCall, type Typed } from './make-call.ts'
import { helpOf, optionOf } from './typed.ts'
import { plainWord } from './typed-words.ts'

/** The words about the groups of commands, by the first word; other groups have none. */
const abouts: Readonly<Record<string, string>> = {
  hosts: 'Servers:',
  licences: 'Plans, orders, and the signed licence:',
  finances: 'The balance, transactions and top-ups:',
  invoices: 'Invoices and credit notes, and their documents:',
  tickets: 'Tickets, messages and files:',
  events: 'What happened in the account, in order:',
  sharing: 'Who did what for the account:',
  tokens: 'The token that is used here:',
  webhooks: 'Events for a program of yours:',
}

/** Returns the group of commands of this name, which is made if it is not there yet. */
export const groupIn = (program: Command, name: string): Command =>
  program.commands.find((known) => known.name() === name) ??
  program.command(name).description(abouts[name] ?? '')

/** Adds a command for each call of the API document to the program. A group without a further word lists, or shows, its things. */
export function addCalls(program: Command, calls: readonly Call[], context: Context): void {
  for (const call of calls) {
    const isUsual = call.id === usualOf(call.group, calls)?.id
    const command = groupIn(program, call.group)
      .command(call.name, { isDefault: isUsual })
      .summary(call.summary)
      .description(`${call.description}\n\n${call.method} ${call.path}`)
      // A word that is no command of the group goes to the usual one.
      .allowExcessArguments(isUsual)
    addWords(command, call)
    command.action(() => {
      const [unknown] = isUsual ? command.args : []
      if (unknown !== undefined)
        throw new WrongUse(
          `unknown command '${call.group} ${unknown}'. Run: hostdeskctl ${call.group} --help`,
        )
      return makeCall({ call, calls, context, words: command.args.map(plainWord), typed: typedIn(command) })
    })
  }
}

const typedIn = (command: Command): Typed =>
  Object.fromEntries(
    Object.entries(command.opts<Typed>()).map(([name, value]) => [
      name,
      typeof value === 'string' ? plainWord(value) : value,
    ]),
  )

/** Returns the call that a group makes without a further word: its list, or the one thing that it is about. */
function usualOf(group: string, calls: readonly Call[]): Call | undefined {
  const free = calls.filter(
    (call) => call.group === group && call.named.length === 0 && call.method === 'GET',
  )
  return free.find(({ name }) => name === 'list') ?? free.find(({ name }) => name === 'get')
}

function addWords(command: Command, call: Call): void {
  for (const name of call.named) command.argument(`<${wordOf(name)}>`)
  if (call.takesFile) command.argument('<FILE>')
  for (const field of [...call.query, ...call.body])
    command.option(`${optionOf(field.name)} <${field.kind === 'json' ? 'JSON' : 'VALUE'}>`, helpOf(field))
  if (call.body.some(({ name }) => name === 'attachment_ids'))
    command.option('--attach <FILE>', 'a file to send with it; may be repeated', gathered)
  if (call.body.length > 0)
    command.option('--body <JSON>', 'the whole body; @FILE for a file, - for the standard input')
  if (call.query.some(({ name }) => name === 'cursor')) command.option('--all', 'all pages of the list')
  if (call.takesKey)
    command.option(
      '--idempotency-key <KEY>',
      'the same key makes the same thing once; without one it is made up',
    )
  if (call.gives === 'file')
    command.option('-o, --output <FILE>', 'the file to write, - for the output; by default its own name')
}

/** `hostId` is typed as HOST_ID. */
const wordOf = (name: string): string => name.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toUpperCase()

const gathered = (file: string, before: string[] | undefined): string[] => [...(before ?? []), file]
