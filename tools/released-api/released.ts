import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** The folder with what each release promised: a file a version. */
const folder = path.join(import.meta.dirname, '../../docs/api/released')

/** Returns the versions that were released, the oldest first. */
export const releasedVersions = (): string[] =>
  readdirSync(folder)
    .map((name) => path.parse(name).name)
    .toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }))

export const factsOfRelease = (version: string): Set<string> =>
  new Set(factsIn(readFileSync(fileOf(version), 'utf8')))

export const keepRelease = (version: string, facts: ReadonlySet<string>): void =>
  writeFileSync(fileOf(version), textOf(facts))

const fileOf = (version: string) => path.join(folder, `${version}.txt`)

/** Writes facts below the call or the schema that they are about, which takes half the room of whole lines. */
function textOf(facts: ReadonlySet<string>): string {
  const groups = Map.groupBy([...facts].toSorted(), subjectOf)
  return [...groups]
    .map(([subject, lines]) =>
      [subject, ...lines.map((line) => `\t${line.slice(subject.length)}`), ''].join('\n'),
    )
    .join('')
}

function factsIn(text: string): string[] {
  let subject = ''
  return text.split('\n').flatMap((line) => {
    if (line.startsWith('\t')) return [subject + line.slice(1)]
    subject = line
    return []
  })
}

/** Returns `GET /api/hosts/` of a fact about a call, `webhook ticket.closed` of one about an event, and `Host` of one about a schema. */
const subjectOf = (fact: string): string => /^(?:[A-Z]+ \/\S+|webhook \S+|\w+)/.exec(fact)?.[0] ?? ''
