import { readFileSync } from 'node:fs'
import type { SourceFile } from './read-code.ts'

/** The ideas of our own that a newcomer learns: the rows of the glossary of ARCHITECTURE.md. */
export const glossary = (): number =>
  (readFileSync('ARCHITECTURE.md', 'utf8').split('## Glossary')[1] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| ')).length - 2

/** The events that ask, with a function by which listeners answer, instead of telling what has happened. */
export const questions = (files: readonly SourceFile[]): number =>
  files
    .filter(({ path }) => path.endsWith('contract.ts'))
    .flatMap(({ path }) => readFileSync(path, 'utf8').match(/= event<\{[^>]*=> (?:void|Promise)/g) ?? [])
    .length

/** The imports of one file of these folders by another, in their own folder or across, without tests. */
export function arrowsIn(files: readonly SourceFile[], folders: readonly string[]): number {
  const inside = (path: string) => folders.some((folder) => path.startsWith(folder))
  return files
    .filter(({ path }) => inside(path))
    .reduce((sum, { imports }) => sum + new Set(imports.map(({ to }) => to).filter(inside)).size, 0)
}
