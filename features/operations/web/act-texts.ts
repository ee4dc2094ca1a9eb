import { actText } from '#foundation/web/i18n/act-text.ts'
import { currentLocale } from '#foundation/web/i18n/locale.ts'
import { acts } from '#texts/acts.js'

/** Returns all audited actions as options, by their sentences in the present language, sorted. */
export function actOptions(): { value: string; label: string }[] {
  const { compare } = new Intl.Collator(currentLocale())
  return Object.keys(acts)
    .map((act) => ({ value: act, label: actText(act) }))
    .toSorted((one, other) => compare(one.label, other.label))
}
