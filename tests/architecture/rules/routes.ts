import type { Rule } from './tree.ts'

/** The id of every call is the name of its constant and unique, and its summary is short: generated clients use both. */
export const calls: Rule = ({ paths, read }) => {
  const known = new Map<string, string>()
  return paths
    .filter((path) => /^(?:features\/(?:[^/]+\/){1,2}|foundation\/)(?:[\w-]+-)?contract\.ts$/.test(path))
    .flatMap((path) =>
      [...read(path).matchAll(/^export const (\w+) = route\(\{([\s\S]*?)^\}\)/gm)].flatMap(
        ([, name = '', text = '']) => {
          const complaints: string[] = []
          if (!text.includes(`\n  id: '${name}',`))
            complaints.push(`${path}: the id of ${name} is '${name}'.`)
          const other = known.get(name)
          if (other) complaints.push(`${path}: ${other} has a call of the name ${name} too.`)
          known.set(name, path)
          return [...complaints, ...summaryFaults(path, name, text)]
        },
      ),
    )
}

function summaryFaults(path: string, name: string, text: string): string[] {
  const [, single, double] = /\n {2}summary:\s+(?:'((?:[^'\\]|\\.)*)'|"([^"]*)")/.exec(text) ?? []
  const summary = single ?? double ?? ''
  if (summary === '') return [`${path}: write the summary of ${name}.`]
  if (summary.length > 60)
    return [
      `${path}: the summary of ${name} has ${summary.length} characters, at most 60: the rest is its description.`,
    ]
  if (/\brow\b|\b[A-Z]-\d\d\b/.test(summary)) return [`${path}: the summary of ${name} names a row.`]
  return []
}
