/** The findings or acts of a command: lines for a person, and the same as one object for a program. `failed` is exit code 1. */
export type Answer = { lines: string[]; data: Record<string, unknown>; failed?: boolean }

/** The answer as it is written to standard output; amounts are bigint and become strings. */
export const printed = ({ lines, data }: Answer, asJson: boolean): string =>
  asJson
    ? `${JSON.stringify(data, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))}\n`
    : lines.map((line) => `${line}\n`).join('')
