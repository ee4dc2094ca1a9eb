import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import { useState } from 'react'
import type { ComponentProps } from 'react'
import { m } from '#texts/messages.js'
import { classNames } from './class-names.ts'
import type { FieldProps } from './field.tsx'
import { controlClass } from './control-class.ts'
import { Field } from './field.tsx'

type Props = FieldProps & {
  autoComplete: 'current-password' | 'new-password'
} & Pick<ComponentProps<'input'>, 'required' | 'autoFocus' | 'minLength'>

/** A field for a password, with a button that shows the typed password. */
export function PasswordField({ name, label, hint, aside, ...input }: Props) {
  const [shown, setShown] = useState(false)
  const Icon = shown ? EyeOff : Eye
  return (
    <Field name={name} label={label} hint={hint} aside={aside}>
      {(control) => (
        <div className="relative">
          <input
            {...input}
            {...control}
            type={shown ? 'text' : 'password'}
            autoCapitalize="none"
            spellCheck={false}
            className={classNames(controlClass, 'pr-11')}
          />
          <button
            type="button"
            onClick={() => setShown(!shown)}
            aria-label={shown ? m.ui_hide_password() : m.ui_show_password()}
            aria-controls={control.id}
            className="absolute inset-y-0 right-0 flex w-10 cursor-pointer items-center justify-center rounded-md text-muted hover:text-text"
          >
            <Icon size={16} aria-hidden="true" />
          </button>
        </div>
      )}
    </Field>
  )
}
