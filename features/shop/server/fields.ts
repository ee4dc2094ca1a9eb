import type { Locale } from '#foundation/locale.ts'
import { errorText } from '#foundation/server/http/english-text.ts'
import { html, type Html } from '#foundation/server/http/html.ts'
import type { Faults, FieldName, Typed } from './buy-form.ts'

/** A form as it is drawn: what was typed stays, and each error stands beside its field. */
export type Drawn = { locale: Locale; typed: Typed; faults: Faults }

type Field = { name: FieldName; label: string; fill: string; type?: string; hint?: string; must?: boolean }

/** A text field with its label, and below it the error or the hint, which the field names as its description. */
export function textField({ locale, typed, faults }: Drawn, field: Field): Html {
  const { name, label, fill, type = 'text', hint, must = false } = field
  const note = noteOf({ locale, faults }, name, hint)
  return html`<div class="field">
    <label for="${name}">${label}</label
    ><input
      id="${name}"
      name="${name}"
      type="${type}"
      value="${typed[name]}"
      autocomplete="${fill}"
      ${must && html` required`}${describedBy(name, faults, note)}
    />${note}
  </div>`
}

/** A box to tick, with the words that are agreed to. */
export function tickBox({ locale, typed, faults }: Drawn, name: FieldName, value: string, label: Html): Html {
  const note = noteOf({ locale, faults }, name, undefined)
  return html`<div class="field">
    <label class="tick"
      ><input
        type="checkbox"
        name="${name}"
        value="${value}"
        required
        ${typed[name] === value && html` checked`}${describedBy(name, faults, note)}
      /><span>${label}</span></label
    >${note}
  </div>`
}

export function noteOf(
  { locale, faults }: Pick<Drawn, 'locale' | 'faults'>,
  name: FieldName,
  hint: string | undefined,
): Html | undefined {
  const fault = faults[name]
  if (fault) return html`<p class="fault" id="${name}-note">${errorText(fault, locale)}</p>`
  return hint === undefined ? undefined : html`<p class="hint" id="${name}-note">${hint}</p>`
}

export const describedBy = (name: FieldName, faults: Faults, note: Html | undefined): Html | undefined =>
  note &&
  (faults[name]
    ? html` aria-invalid="true" aria-describedby="${name}-note"`
    : html` aria-describedby="${name}-note"`)
