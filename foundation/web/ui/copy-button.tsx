import Check from 'lucide-react/icons/check'
import Copy from 'lucide-react/icons/copy'
import { useState } from 'react'
import { copyText } from '#foundation/web/copy-text.ts'
import { m } from '#texts/messages.js'
import { Button } from './button.tsx'
import { IconButton } from './icon-button.tsx'

/** A button that copies a text. It shows `label`, or only an icon without one. Screen readers read out that the text was copied. */
export function CopyButton({ text, label }: { text: string; label?: string }) {
  const [copied, setCopied] = useState(false)
  const icon = copied ? (
    <Check size={16} aria-hidden="true" className="text-success-text" />
  ) : (
    <Copy size={16} aria-hidden="true" />
  )
  const copy = async () => {
    setCopied(await copyText(text))
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
