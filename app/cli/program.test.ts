import { CommanderError } from 'commander'
import { describe, expect, it, vi } from 'vitest'
import { invoiceKinds, vatKinds } from '#features/invoices/rules.ts'
import { payoutStates } from '#features/payouts/rules.ts'
import { buildProgram } from './program.ts'
import { typedWords } from './typed-words.ts'

/** Parses a line without a process of its own: the error of commander, and what it printed on each stream. */
async function parse(...words: string[]): Promise<{ error: unknown; out: string; err: string }> {
  const printed = { out: '', err: '' }
  const out = vi.spyOn(process.stdout, 'write').mockImplementation((text) => Boolean((printed.out += text)))
  const err = vi.spyOn(process.stderr, 'write').mockImplementation((text) => Boolean((printed.err += text)))
  const run = vi.fn(() => Promise.resolve())
  try {
    const program = buildProgram({ execute: run, start: run })
    const error = await program
      .parseAsync(typedWords(words), { from: 'user' })
      .catch((thrown: unknown) => thrown)
    expect(run).not.toHaveBeenCalled()
    return { error, ...printed }
  } finally {
    out.mockRestore()
    err.mockRestore()
  }
}

describe('the command line', () => {
  it.each(['-h', '--help', 'help'])('explains itself: %s', async (word) => {
    const { error, out, err } = await parse(word)
    expect(error).toBeInstanceOf(CommanderError)
    expect(error).toMatchObject({ exitCode: 0 })
    expect(err).toBe('')
    expect(out).toMatch(/^Usage: /)
    expect(out).toContain('create-staff')
    expect(out).toContain('start')
  })

  it.each<[string[], string]>([
    [['dance'], "unknown command 'dance'"],
    [['constructor'], "unknown command 'constructor'"],
    [['__proto__'], "unknown command '__proto__'"],
    [['docter'], 'Did you mean doctor?'],
    [['plan', 'toString'], "unknown command 'toString'"],
    [['doctor', '--fast'], "unknown option '--fast'"],
    [['doctor', 'now'], 'too many arguments'],
    [['backup'], "missing required argument 'FILE'"],
    [['licence', 'withdraw-key'], "missing required argument 'KEY_ID'"],
    [['--settings'], 'argument missing'],
  ])('refuses wrong use in one line, and does nothing: %j', async (words, said) => {
    const { error, out, err } = await parse(...words)
    expect(error).toBeInstanceOf(CommanderError)
    expect(error).toMatchObject({ exitCode: 1 })
    expect(out).toBe('')
    expect(err).toContain(said)
    expect(err).toMatch(/^hostdesk: [^\n]*\n$/)
  })

  it.each<[string[], readonly string[]]>([
    [
      ['invoice', 'list'],
      [...invoiceKinds, ...vatKinds],
    ],
    [['payout', 'list'], payoutStates],
  ])('names each word that the options of a list take: %j', async (words, taken) => {
    const { out } = await parse(...words, '--help')
    expect(taken.filter((word) => !out.includes(word))).toEqual([])
  })
})
