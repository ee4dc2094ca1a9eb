import type { ComponentType, ReactNode } from 'react'
import type { Conflict } from './edits.ts'
import type { FormHandle } from './use-form.ts'

type FrameProps = { form: EditFormHandle; label: string; children: ReactNode }

/** A form that edits a thing, made by `useEditForm`. */
export type EditFormHandle = FormHandle & {
  /** How many fields differ from what is saved. */
  changes: number
  conflicts: readonly Conflict[]
  /** The form around the fields. It comes with the handle, so that pages which edit nothing do not load it. */
  Frame: ComponentType<FrameProps>
  discard: () => void
  keep: (name: string) => void
  take: (name: string) => void
}
