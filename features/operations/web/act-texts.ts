import { currentLocale } from '#foundation/web/i18n/locale.ts'
import { acts } from '#texts/acts.js'

const texts: Readonly<Record<string, (() => string) | undefined>> = acts

/** What was done; the name itself of an act that a newer or older release recorded. */
export const actText = (act: string): string => texts[act]?.() ?? act

/** All acts by their sentences, in the order of the present language. */
export function actOptions(): { value: string; label: string }[] {
  const { compare } = new Intl.Collator(currentLocale())
  return Object.keys(texts)
    .map((act) => ({ value: act, label: actText(act) }))
    .toSorted((one, other) => compare(one.label, other.label))
}
