import * as texts from '#texts/messages.js'

type Text = (inputs: Record<string, never>, options: { locale: 'en' }) => string

/** The English text of an error code, for logs and curl; the browser shows the text in its own language. */
export function englishText(code: string): string {
  const text = (texts as unknown as Record<string, Text | undefined>)[`error_${code}`]
  return text ? text({}, { locale: 'en' }) : code
}
