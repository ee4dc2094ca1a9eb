import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { isInstalled, languages, runCases } from '#tests/libraries/languages.ts'
import type { World } from './world.ts'

const installed = languages.filter(isInstalled)
export const namesOfLanguages = installed.map(({ name }) => name).join(', ')

/** The answers about documents of histories that the libraries of other languages give differently; of those that are installed. */
export function differingAnswers({ keys, judged }: World): string[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'judged-'))
  const file = path.join(folder, 'vectors.json')
  writeFileSync(file, JSON.stringify({ keys, cases: judged }))
  const wanted = `${judged.length} of ${judged.length}`
  try {
    return installed.flatMap((language) => {
      const { output } = runCases(language, file)
      return output === wanted ? [] : [`${language.name}: ${output.slice(0, 2_000)}`]
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}
