import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { withoutSymbols } from './without-symbols.ts'

it('a Node without symbols is smaller and runs', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'hostdesk-symbols-'))
  try {
    const whole = readFileSync(process.execPath)
    const less = withoutSymbols(whole)
    expect(less.length).toBeLessThan(whole.length * 0.95)
    const program = path.join(folder, 'node')
    writeFileSync(program, less, { mode: 0o755 })
    expect(execFileSync(program, ['-p', 'process.version'], { encoding: 'utf8' })).toBe(
      `${process.version}\n`,
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

it('refuses a file that is not an ELF program', () => {
  expect(() => withoutSymbols(Buffer.from('#!/bin/sh\nexit\n'))).toThrow('no ELF program')
})
