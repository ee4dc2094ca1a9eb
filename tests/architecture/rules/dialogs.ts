import { isSource } from './tree.ts'
import type { Rule, Tree } from './tree.ts'

/** Files whose dialog is called after what it shows, and a title that the example data give it. */
const calledAfterContent: Readonly<Record<string, RegExp>> = {
  'features/finance/web/transaction-detail.tsx': /^(?:Credit|Top-up|Payment charged back)/u,
  'features/operations/web/audit-details.tsx': /downloaded$|^Signed in$/u,
  'features/payers/web/agreement-dialog.tsx': /Соколов$/u,
  'features/support/files/web/large-picture.tsx': /\.png$/u,
}

const drawsOne = /<\w*Dialog\b(?:[^<>]|=>)*\btitle[={]/u

/** Returns each file that draws a dialog with a title, and the titles it may have, in English: by these `npm run test:walks` knows it. */
export function dialogFiles({ paths, read }: Tree): Map<string, RegExp[]> {
  const texts = englishTexts({ paths, read })
  const found = new Map<string, RegExp[]>()
  for (const path of paths.filter((one) => isSource(one) && one.endsWith('.tsx') && !PARTS.test(one))) {
    const source = read(path)
    if (!drawsOne.test(source)) continue
    const own = calledAfterContent[path]
    const keys = [...source.matchAll(/\bm\.(\w+)\(/gu)].map(([, key = '']) => key)
    found.set(path, own ? [own] : keys.flatMap((key) => titleLike(texts.get(key) ?? '')))
  }
  return found
}

/** Parts of other dialogs. */
const PARTS = /^foundation\/web\/(?:ui|form|toasts)\//u

/** A dialog that the walk cannot tell from others may be forgotten by it. */
export const dialogsKnown: Rule = (tree) =>
  [...dialogFiles(tree)]
    .filter(([, titles]) => titles.length === 0)
    .map(([path]) => `${path}: give its dialog a title of its own texts, or name one in rules/dialogs.ts.`)

const titleLike = (text: string): RegExp[] =>
  text.replaceAll(/\{\w+\}/gu, '').trim() === ''
    ? []
    : [
        new RegExp(
          `^${text
            .split(/\{\w+\}/u)
            .map(escaped)
            .join('.+')}$`,
          'u',
        ),
      ]

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`)

function englishTexts({ paths, read }: Tree): Map<string, string> {
  const files = paths.filter((path) => path.endsWith('/messages/en.json'))
  const texts = files.flatMap((path) => Object.entries(JSON.parse(read(path)) as Record<string, unknown>))
  return new Map(texts.flatMap(([key, text]) => (typeof text === 'string' ? [[key, text] as const] : [])))
}
