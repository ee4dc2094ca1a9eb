import Check from 'lucide-react/icons/check'
import Copy from 'lucide-react/icons/copy'
import { useState } from 'react'
import { m } from '#texts/messages.js'
import { Button } from './button.tsx'
import { IconButton } from './icon-button.tsx'

/** Copies a text; with `label` as a button with words, without as an icon. What happened is said, not only shown. */
export function CopyButton({ text, label }: { text: string; label?: string }) {
  const [copied, setCopied] = useState(false)
  const icon = copied ? (
    <Check size={16} aria-hidden="true" className="text-success-text" />
  ) : (
    <Copy size={16} aria-hidden="true" />
  )
  const copy = async () => {
    setCopied(await write(text))
    setTimeout(() => setCopied(false), SHOWN_ms)
  }
  return (
    <>
      {label === undefined ? (
        <IconButton label={copied ? m.ui_copied() : m.ui_copy()} icon={icon} onClick={() => void copy()} />
      ) : (
        <Button icon={icon} onClick={() => void copy()}>
          {label}
        </Button>
      )}
      <span role="status" className="sr-only">
        {copied ? m.ui_copied() : ''}
      </span>
    </>
  )
}

const SHOWN_ms = 2000

/** The clipboard is refused without a secure origin; a selection and the old command still work there. */
async function write(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const field = document.createElement('textarea')
    field.value = text
    ;(document.querySelector('dialog[open]') ?? document.body).append(field)
    field.select()
    // oxlint-disable-next-line typescript/no-deprecated -- where the clipboard API is missing there is nothing newer
    const done = document.execCommand('copy')
    field.remove()
    return done
  }
}
