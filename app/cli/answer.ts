/** The result of a command: lines for a person, and the same facts as one object for a program. `failed` becomes exit code 1. */
export type Answer = { lines: string[]; data: Record<string, unknown>; failed?: boolean }

/** Returns the answer as it is written to standard output. Amounts are bigint and become strings in JSON. */
export const printed = ({ lines, data }: Answer, asJson: boolean): string =>
  asJson
    ? `${JSON.stringify(data, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))}\n`
    : lines.map((line) => `${line}\n`).join('')
