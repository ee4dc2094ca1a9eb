import type { Rule, Tree } from './tree.ts'

/** Words that had a private meaning here, as parts of names, each with the word to use instead. */
const retiredWords: readonly (readonly [word: RegExp, instead: string])[] = [
  [/^(house|laws?)$/, 'architecture, rule'],
  [/^(cast|storyteller|deeds?)$/, 'seed'],
  [/^(door|rooms?|wing)$/, 'public API, layer, side'],
  [/^(fillings?)$/, 'slot, entry'],
  [/^(owes?|owed)$/, 'enqueue, queued'],
  [/^(letters?)$/, 'mail template, character'],
  [/^(told|untold)$/, 'the event, notification or reply that it is'],
  [/^(undertaker|bury|orphans?)$/, 'reaper, reap, orphaned'],
  [/^(standing)$/, 'state'],
  [/^looked$/, 'check, poll, schedule'],
  [/^(problems?)$/, 'error'],
  [/^(started|asked)$/, 'prefetched, requested'],
  [/^(heard|hears?|silent)$/, 'connected, offline, received'],
  [/^(papers?)$/, 'document'],
  [/^(surroundings)$/, 'environment'],
]

// Two words that mean something only together.
const retiredPairs: readonly (readonly [pair: string, instead: string])[] = [
  ['give back', 'release, refund, unassign'],
  ['take turns', 'lockByName'],
  ['describe user', 'updateUser'],
  ['look for', 'detect'],
  ['look at', 'check'],
]

// A contract's constant is the id of its operation in the public API document, which generated clients use.
const published = ['giveBackTicket']

const isCode = (path: string): boolean =>
  /^(app|features|foundation|agent|clients|tests|tools|bench)\/.*\.(m?[jt]sx?)$/.test(path)

/** Names that need no explanation: the words of the field, in file names and in what files export. */
export const plainNames: Rule = (tree) =>
  tree.paths.filter(isCode).flatMap((path) => [
    ...complaints(
      path
        .replace(/\.\w+$/, '')
        .split('/')
        .flatMap(wordsOf),
    ).map((say) => `${path}: ${say}`),
    ...exportedNames(tree, path)
      .filter((name) => !published.includes(name))
      .flatMap((name) => complaints(wordsOf(name)).map((say) => `${path} exports ${name}: ${say}`)),
  ])

/** A thing has one name, so that a search for the name finds every use. */
export const oneName: Rule = (tree) =>
  tree.paths
    .filter(isCode)
    .flatMap((path) =>
      [...tree.read(path).matchAll(/^export (?:type )?\{([^}]*)\}/gm)]
        .flatMap(([, list = '']) =>
          [...list.matchAll(/\b(\w+) as (\w+)/g)].map(
            ([, name, other]) => `${path} exports ${name} as ${other}: rename it where it is defined.`,
          ),
        )
        .concat(
          [...tree.read(path).matchAll(/^export const (\w+) = (\w+\.\w+)$/gm)]
            .filter(() => !isTestPath(path))
            .map(
              ([, name, source]) => `${path} exports ${source} again as ${name}: write export { … } from.`,
            ),
        ),
    )

const isTestPath = (path: string): boolean => path.startsWith('tests/')

function complaints(words: readonly string[]): string[] {
  const single = words.flatMap((word) => {
    const found = retiredWords.find(([retired]) => retired.test(word))
    return found ? [`instead of '${word}' write ${found[1]}.`] : []
  })
  const text = words.join(' ')
  const pairs = retiredPairs.flatMap(([pair, instead]) =>
    text.includes(pair) ? [`instead of '${pair}' write ${instead}.`] : [],
  )
  return [...single, ...pairs]
}

function exportedNames({ read }: Tree, path: string): string[] {
  const declared = /^export (?:async )?(?:function|const|let|class|type|interface) (\w+)/gm
  return [...read(path).matchAll(declared)].map((match) => match[1] ?? '')
}

/** `lookForSilent` and `look-for-silent` → look, for, silent. */
const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[\s._-]+/)
