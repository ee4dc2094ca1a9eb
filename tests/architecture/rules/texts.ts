import { featureOf } from '#tools/features.ts'
import { isSource, type Rule, type Tree } from './tree.ts'

const languages = ['en', 'de', 'ru']
type Texts = Map<string, string>

/** Every text exists in all three languages, under the same key and with the same placeholders. */
export const equalKeys: Rule = (tree) =>
  folders(tree).flatMap((folder) => {
    const missing = languages.filter((language) => !tree.paths.includes(`${folder}/${language}.json`))
    if (missing.length > 0) return missing.map((language) => `Write ${folder}/${language}.json.`)
    const [first = new Map<string, string>(), ...others] = languages.map((language) =>
      textsOf(tree, folder, language),
    )
    return others.flatMap((texts, index) => compare(folder, first, texts, languages[index + 1] ?? ''))
  })

/** A key begins with the name of its feature, and no key is written twice: the compiled texts share one namespace. */
export const ownKeys: Rule = (tree) => {
  const seen = new Map<string, string>()
  return folders(tree).flatMap((folder) => {
    const complaints: string[] = []
    const feature = featureOf(`${folder}/en.json`)?.split('/').at(-1)?.replaceAll('-', '_')
    for (const key of textsOf(tree, folder, 'en').keys()) {
      const other = seen.get(key)
      if (other) complaints.push(`${key} is written in ${other} and in ${folder}: keep one.`)
      seen.set(key, folder)
      if (!/^[a-z0-9_]+$/.test(key)) complaints.push(`${folder}: ${key} is not a flat snake_case key.`)
      if (feature && !key.startsWith(`${feature}_`) && !/^(?:error|act)_/.test(key))
        complaints.push(`${folder}: ${key} must start with ${feature}_, error_ or act_.`)
    }
    return complaints
  })
}

/** Each error code has a text in each language, under the key `error_` and the code. */
export const codesHaveTexts: Rule = (tree) => {
  const written = languages.map((language) => ({
    language,
    keys: new Set(folders(tree).flatMap((folder) => [...textsOf(tree, folder, language).keys()])),
  }))
  return [...codesOf(tree)].flatMap(([code, path]) => {
    const lacking = written.filter(({ keys }) => !keys.has(`error_${code}`)).map(({ language }) => language)
    return lacking.length > 0
      ? [`${path} may answer ${code}: write error_${code} in ${lacking.join(', ')}.`]
      : []
  })
}

/** A key that no code reads is refused: nobody would check the three translations of a text that is never shown. */
export const readKeys: Rule = (tree) => {
  const code = tree.paths
    .filter((path) => /^(app|features|foundation)\/.*\.tsx?$/.test(path))
    .map(tree.read)
    .join('\n')
  const words = new Set(code.match(/\w+/g))
  return folders(tree).flatMap((folder) =>
    [...textsOf(tree, folder, 'en').keys()]
      .filter((key) => !words.has(key) && !/^(?:error|act)_/.test(key))
      .map((key) => `${folder}: nothing reads ${key}.`),
  )
}

/** A quotation mark stands in a text, because each language has its own: code of pages writes none between words that somebody typed. */
export const quoted: Rule = ({ paths, read }) =>
  paths
    .filter(
      (path) => isSource(path) && /^(?:app|features|foundation)\/.*(?:\/web\/.*|\/texts\.ts)$/.test(path),
    )
    .flatMap((path) =>
      read(path)
        .split('\n')
        .flatMap((line, index) =>
          /^\s*(?:\/\/|\/?\*|\{\/\*)/.test(line) || !/[“”„«»]/u.test(line)
            ? []
            : [
                `${path}:${index + 1} writes a quotation mark: m.ui_quoted({ text }) has that of each language.`,
              ],
        ),
    )

const folders = ({ paths }: Tree): string[] =>
  [
    ...new Set(
      paths.flatMap(
        (path) => /^((?:app|features|foundation)\/.+)\/(?:en|de|ru)\.json$/.exec(path)?.[1] ?? [],
      ),
    ),
  ].toSorted()

function textsOf({ paths, read }: Tree, folder: string, language: string): Texts {
  const path = `${folder}/${language}.json`
  if (!paths.includes(path)) return new Map()
  const entries = Object.entries(JSON.parse(read(path)) as Record<string, unknown>)
  return new Map(entries.map(([key, text]) => [key, JSON.stringify(text)]))
}

function compare(folder: string, first: Texts, texts: Texts, language: string): string[] {
  const complaints: string[] = []
  for (const [key, text] of first) {
    const other = texts.get(key)
    if (other === undefined) complaints.push(`${folder}/${language}.json lacks ${key}.`)
    else if (blanks(text) !== blanks(other))
      complaints.push(
        `${folder}/${language}.json: ${key} fills ${blanks(other) || 'nothing'}, in English ${blanks(text) || 'nothing'}.`,
      )
    if (other === '""') complaints.push(`${folder}/${language}.json: ${key} is empty.`)
  }
  for (const key of texts.keys())
    if (!first.has(key)) complaints.push(`${folder}/${language}.json has ${key}, which English lacks.`)
  return complaints
}

const blanks = (text: string): string =>
  [...new Set([...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? ''))].toSorted().join(', ')

// Codes are in the lists of a contract, in a schema's `error: 'code'`, in a thrown `{ code: 'code' }` and in
// `badRequest('code')`. 'custom' is a code of zod. A code that is followed by `params` belongs to a description, not to an error.
function codesOf({ paths, read }: Tree): Map<string, string> {
  const codes = new Map<string, string>()
  for (const path of paths) {
    if (!/^(features|foundation)\/.*\.ts$/.test(path) || /\.test\.ts$|\/web\//.test(path)) continue
    const text = read(path)
    const found = [...text.matchAll(/\b(?:error: |code: |badRequest\()'([a-z]\w+)'(?!,\s*params)/g)].map(
      (match) => match[1] ?? '',
    )
    if (/(contract|errors)\.ts$/.test(path))
      for (const [, list = ''] of text.matchAll(/(?:\b\d{3}: \[|[cC]odes = \[)([^\]]*)/g))
        found.push(...[...list.matchAll(/'([a-z]\w+)'/g)].map((match) => match[1] ?? ''))
    for (const code of found) if (code !== 'custom') codes.set(code, path)
  }
  return codes
}
