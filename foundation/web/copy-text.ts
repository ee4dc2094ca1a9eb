/**
 * Puts a text on the clipboard. Resolves to true if it is there. Without a secure connection browsers refuse the clipboard API, but
 * still obey the old command.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const before = document.activeElement
    const field = document.createElement('textarea')
    field.value = text
    ;(document.querySelector('dialog[open]') ?? document.body).append(field)
    field.select()
    // oxlint-disable-next-line typescript/no-deprecated -- where the clipboard API is missing there is nothing newer
    const done = document.execCommand('copy')
    field.remove()
    // The removed field had taken the focus: it goes back to the element that had it before.
    if (before instanceof HTMLElement) before.focus()
    return done
  }
}
