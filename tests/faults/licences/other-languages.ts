import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { must } from '#foundation/must.ts'
import { isInstalled, languages, runCases } from '#tests/libraries/languages.ts'
import type { World } from './world.ts'

export type Judged = Pick<World, 'keys' | 'judged'>

const installed = languages.filter(isInstalled)
export const namesOfLanguages = installed.map(({ name }) => name).join(', ')

/**
 * Lets the installed libraries of other languages judge the documents of histories, of one world or of several. Returns the outputs of the
 * libraries whose answers differ from the expected ones.
 */
export async function differingAnswers(worlds: readonly Judged[]): Promise<string[]> {
  const keys = worlds.flatMap((world) => world.keys)
  const judged = worlds.flatMap((world) => world.judged)
  const folder = mkdtempSync(path.join(tmpdir(), 'judged-'))
  const file = path.join(folder, 'vectors.json')
  writeFileSync(file, JSON.stringify({ keys, cases: judged }))
  const wanted = `${judged.length} of ${judged.length}`
  try {
    const outputs = await Promise.all(installed.map((language) => runCases(language, file)))
    return outputs.flatMap(({ output }, place) =>
      output === wanted ? [] : [`${must(installed[place]).name}: ${output.slice(0, 2_000)}`],
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}
