import { secretForms, secretNames } from './secret-forms.ts'

/**
 * Returns the part of a text that looks like a password or a key; undefined if none does. It only leads to an offer, and a false alarm is
 * worse than a miss: who is asked too often reads nothing any more. So a word alone is never a password, however it is introduced.
 */
export function secretIn(text: string): string | undefined {
  // The beginning is enough: long texts are logs, and the field asks at each keystroke.
  const begin = text.slice(0, MOST)
  for (const [form] of secretForms) {
    const [found] = form.exec(begin) ?? []
    if (found !== undefined) return found.trim()
  }
  for (const [, label = '', value = ''] of begin.matchAll(NAMED)) {
    const given = value.replace(/^["'`„“«]+|["'`”“».,;!?)]+$/gu, '')
    if (/^pin$/iu.test(label) ? /^\d{4,8}$/u.test(given) : isLikePassword(given)) return given
  }
  const alone = begin.trim()
  return alone.length >= 12 && !/\s/u.test(alone) && isLikePassword(alone) && kindsIn(alone) >= 3
    ? alone
    : undefined
}

const MOST = 5000

/** A name of a secret, and the word that follows it. */
const NAMED = new RegExp(
  String.raw`(?<![\p{L}\d])(${secretNames})(?:\s*[:=]\s*|\s+(?:is|ist|lautet|это)\s*:?\s+|\s+[-–—]\s+)(\S{6,200}|\d{4,8})`,
  'giu',
)

/** True for a word that nobody writes by chance: letters and digits mixed, or with marks that no word has. */
function isLikePassword(word: string): boolean {
  if (word.length < 6 || isOther.some((form) => form.test(word))) return false
  const [hasLetter, hasDigit] = [/\p{L}/u.test(word), /\d/u.test(word)]
  const hasMark = /[^\p{L}\d\s._/:'’()[\]<>-]/u.test(word)
  const isMixed = /\p{Ll}\p{Lu}|\p{Lu}.*\p{Ll}.*\p{Lu}/u.test(word)
  return (
    (hasLetter && hasDigit) ||
    (hasLetter && hasMark) ||
    (hasDigit && hasMark) ||
    (isMixed && word.length >= 10)
  )
}

const kindsIn = (word: string): number =>
  [/\p{Ll}/u, /\p{Lu}/u, /\d/u, /[^\p{L}\d\s._/:-]/u].filter((kind) => kind.test(word)).length

/** Words with letters and digits that are no password: addresses, paths, files, versions, times, numbers of things, placeholders. */
const isOther: readonly RegExp[] = [
  /^[a-z][a-z0-9+.-]*:\/\//iu,
  /^www\.|^[~.]{0,2}\//iu,
  /^[^\s@]+@[^\s@]+\.[a-z]{2,}$/iu,
  /^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d+)?(?:\/\S*)?$/iu,
  /^[\da-f]{0,4}(?::[\da-f]{0,4}){2,}(?:\/\d+)?$/iu,
  /^v?\d+(?:[._-]\d+)+\w*$/u,
  /^[\d\s.,:/-]+(?:€|\$|%|[a-z]{1,3})?$/iu,
  /^#?[A-Z]{2,}-[\d-]+$/u,
  /^[*•x.…]+$/iu,
  /^[<[{(].*[>\]})]$/u,
  /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/iu,
  /^[a-z_]+\(.*\)?$/iu,
]
