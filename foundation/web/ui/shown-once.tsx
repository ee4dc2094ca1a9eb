import type { ReactNode } from 'react'
import { Alert } from './alert.tsx'
import { Button } from './button.tsx'
import { Copyable } from './copyable.tsx'
import { DialogActions } from './dialog.tsx'

type Props = {
  /** The lines to copy, in the order of its use: the secret, or a line that has it in itself. */
  lines: readonly { label: string; text: string }[]
  warning: string
  kept: string
  onClose: () => void
  children?: ReactNode
}

/** A secret that was just made, in a dialog: it is shown this once, and goes when its reader says that it is kept. */
export const ShownOnce = ({ lines, warning, kept, onClose, children }: Props) => (
  <div className="flex flex-col gap-4 text-sm">
    {children === undefined ? null : <p>{children}</p>}
    {lines.map(({ label, text }) => (
      <Copyable key={label} label={label} text={text} />
    ))}
    <Alert tone="warning">{warning}</Alert>
    <DialogActions>
      <Button look="primary" onClick={onClose}>
        {kept}
      </Button>
    </DialogActions>
  </div>
)
