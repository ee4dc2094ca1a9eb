/**
 * Returns the time to wait as a phrase: "4 minutes", "30 seconds". It is rounded up, so that a try after it succeeds.
 * Without a number it is five minutes, as long as failed sign-ins lock an account.
 */
export function waitText(wait_s: number | undefined, locale: string): string {
  const [value, unit] = (wait_s ?? 300) < 60 ? [wait_s ?? 0, 'second'] : [(wait_s ?? 300) / 60, 'minute']
  const format = (formats[locale + unit] ??= new Intl.NumberFormat(locale, {
    style: 'unit',
    unit,
    unitDisplay: 'long',
  }))
  return format.format(Math.ceil(value))
}

/** A format takes longer to make than the whole answer of a call that is turned away. */
const formats: Record<string, Intl.NumberFormat> = {}
