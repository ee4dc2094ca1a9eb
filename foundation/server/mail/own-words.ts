import type { Locale } from '#foundation/locale.ts'
import type { Config } from '#foundation/server/config.ts'
import { fill, sayingBy } from '#texts/mail-texts.js'

/** The name under which the words of owners for a text are kept: for each kind of mail alone, also where kinds share the text. */
export const wordsName = (kind: string, text: string, locale: Locale): string => `${kind}/${text}/${locale}`

/** The placeholders in words, each once. */
export const placeholdersIn = (words: string): string[] => [
  ...new Set([...words.matchAll(/\{(\w+)\}/gu)].map(([, name = '']) => name)),
]

/** The placeholders that the words of owners may always have. */
export const ALWAYS_FILLED = ['operator', 'support_email']

type Written = { own?: readonly string[] }

/**
 * Has a mail written with the words of owners in the place of ours. Words that name what the text does not know, as after an update that has
 * changed it, give way to ours. Links that an owner has typed stay links; those in the names that stand between them do not.
 */
export function inOwnWords<Content extends Written>(
  kind: string,
  { operator, locale }: { operator: Config['operator']; locale: Locale },
  write: () => Content,
): Content {
  const own: string[] = []
  const content = sayingBy((text, ours, inputs) => {
    const { [wordsName(kind, text, locale)]: words = '' } = operator.mailWords
    const known = { operator: operator.name, support_email: operator.supportEmail ?? '', ...inputs }
    if (words === '' || !placeholdersIn(words).every((name) => Object.hasOwn(known, name)))
      return fill(ours, inputs)
    own.push(words)
    return fill(words, known)
  }, write)
  return own.length === 0 ? content : { ...content, own: [...(content.own ?? []), ...own] }
}
