import { findAccess, type Access } from './access.ts'
import { printed, terminalOf } from './answer.ts'
import { ask, type Request } from './ask.ts'
import { WrongUse } from './failures.ts'

/** The options that every command has. */
export type Common = { json?: true; table?: true; columns?: string; wait?: string }

/** The surroundings of a command: the settings of its process, the options of the line, and the streams. */
export class Context {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly agent: string
  common: () => Common = () => ({})

  constructor(environment: Context['environment'], version: string) {
    this.environment = environment
    this.agent = `hostdeskctl/${version}`
  }

  /** Tells something beside the answer. */
  say = (line: string): void => {
    process.stderr.write(`hostdeskctl: ${line}\n`)
  }

  /** True where a person reads, to whom a line says what happened. */
  isForPerson(): boolean {
    return terminalOf(process.stdout, this.environment, this.common()) !== undefined
  }

  write(answer: unknown): void {
    const { columns, ...common } = this.common()
    const terminal = terminalOf(process.stdout, this.environment, common)
    process.stdout.write(
      printed(answer, { terminal, columns: columns?.split(',').map((name) => name.trim()) }),
    )
  }

  writeLine(line: string): void {
    process.stdout.write(`${line}\n`)
  }

  access(): Access {
    return findAccess(this.environment, this.agent)
  }

  /** Makes a call by the kept token. Throws Failure. */
  ask(request: Request, access = this.access()): Promise<Response> {
    const { wait = '60' } = this.common()
    if (!/^\d{1,5}$/.test(wait)) throw new WrongUse(`--wait takes seconds, and not '${wait}'.`)
    return ask(access, request, { wait_s: Number(wait), say: this.say })
  }

  /** Makes a call and returns the JSON of its answer. */
  async askJson(request: Request, access?: Access): Promise<unknown> {
    const response = await this.ask(request, access)
    return response.status === 204 ? undefined : await response.json()
  }
}
