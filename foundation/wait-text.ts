/**
 * Returns the time to wait as a phrase: "4 minutes", "30 seconds". It is rounded up, so that a try after it succeeds.
 * Without a number it is five minutes, as long as failed sign-ins lock an account.
 */
export function waitText(wait_s: number | undefined, locale: string): string {
  const seconds = wait_s ?? 300
  const [value, unit] = seconds < 60 ? [seconds, 'second'] : [seconds / 60, 'minute']
  const format = (formats[locale + unit] ??= new Intl.NumberFormat(locale, {
    style: 'unit',
    unit,
    unitDisplay: 'long',
  }))
  return format.format(Math.ceil(value))
}

/** A format takes some 45 µs to make, and each refusal writes a time to wait. */
const formats: Record<string, Intl.NumberFormat> = {}
