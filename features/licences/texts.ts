import type { SuspensionReason } from '#features/hosts/rules.ts'
import { m } from '#texts/messages.js'

/** The reason of a suspension in a sentence, as the page of the server and the mail about it say it. */
export const suspensionTexts: Readonly<Record<SuspensionReason, typeof m.licences_suspended_other>> = {
  charge_back: m.licences_suspended_charge_back,
  debt: m.licences_suspended_debt,
  abuse: m.licences_suspended_abuse,
  other: m.licences_suspended_other,
}
