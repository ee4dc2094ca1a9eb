import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'

/** Asks a question on the error stream, so that the output stays empty, and returns the line that is typed. */
export async function askLine(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return (await lines.question(question)).trim()
  } finally {
    lines.close()
  }
}

/**
 * Returns a secret: what is typed at the terminal, without showing it, or all of the standard input. It is never a parameter, because
 * each user of a machine sees the parameters of each process.
 */
export async function readSecret(question: string): Promise<string> {
  if (!process.stdin.isTTY) return (await textOf(process.stdin)).trim()
  process.stderr.write(question)
  const nothing = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: nothing, terminal: true })
  try {
    return (await lines.question('')).trim()
  } finally {
    lines.close()
    process.stderr.write('\n')
  }
}
