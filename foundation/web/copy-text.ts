/**
 * Puts a text on the clipboard; answers whether it is there. The clipboard is refused without a secure connection, and
 * the old command still works there.
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
    // The field took the focus along; a keyboard goes on where it was.
    if (before instanceof HTMLElement) before.focus()
    return done
  }
}
