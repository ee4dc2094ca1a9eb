import { useState } from 'react'
import { setBlock } from '#features/customers/contract.ts'
import { causes, levels, MESSAGE_LENGTH, type Level } from '#features/customers/rules.ts'
import type { CustomerCard } from '#features/support/desk/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { TextAreaField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { causeTexts, levelTexts } from './access-texts.ts'
import { CustomerActDialog } from './customer-act-dialog.tsx'
import { refreshCustomer, useAccount } from './hooks.ts'

/** Blocks or locks an account, or opens it again. The customer reads the message. */
export function BlockCustomer({ card, ...dialog }: DialogProps & { card: CustomerCard }) {
  const block = useAccount(card.id).data?.block
  const [level, setLevel] = useState<Level>(card.access === 'open' ? 'blocked' : 'none')
  // The level when the dialog opened, or after a conflict; the page behind the dialog may show another one by now.
  const [from, setFrom] = useState<Level>(card.access === 'open' ? 'none' : card.access)
  const name = card.name || card.email
  return (
    <CustomerActDialog
      {...dialog}
      title={m.customers_block_title({ name })}
      description={
        card.access === 'locked' && level !== 'locked' ? m.customers_unlock_hint() : m.customers_block_text()
      }
      act={m.customers_block_save()}
      look={level === 'none' ? 'primary' : 'danger'}
      send={async (reason, fields) => {
        const cause = causes.find((one) => one === fields.text('cause'))
        const told = { ...(cause && { cause }), message: fields.text('message') }
        const answer = await call(setBlock, {
          params: { userId: card.id },
          body: { level, from, reason, ...(level === 'none' ? {} : told) },
        })
        if (answer.status === 409 && answer.errors[0]?.code === 'changed') {
          setFrom(answer.body.present.block?.level ?? 'none')
          refreshCustomer()
        }
        return answer
      }}
      done={() => m.customers_block_done({ name, state: levelTexts[level]() })}
      before={
        <>
          <SelectField
            name="level"
            label={m.customers_level()}
            // The choice is not bound by `value`: the form renders at each input, before `onChange` runs, and would put the old
            // choice back.
            defaultValue={level}
            onChange={(event) => setLevel(levelIn(event.target.value))}
            options={levels.map((value) => ({ value, label: LEVELS[value]() }))}
          />
          {level === 'none' ? null : (
            <SelectField
              name="cause"
              label={m.customers_cause()}
              defaultValue={block?.cause ?? ''}
              empty=""
              options={causes.map((value) => ({ value, label: causeTexts[value]() }))}
              required
            />
          )}
        </>
      }
    >
      {level === 'none' ? null : (
        <TextAreaField
          name="message"
          label={m.customers_message()}
          hint={m.customers_message_hint()}
          rows={3}
          most={MESSAGE_LENGTH}
          defaultValue={block?.message}
          required
        />
      )}
    </CustomerActDialog>
  )
}

const levelIn = (text: string): Level => levels.find((one) => one === text) ?? 'blocked'

const LEVELS: Readonly<Record<Level, () => string>> = {
  none: m.customers_level_none,
  blocked: m.customers_level_blocked,
  locked: m.customers_level_locked,
}
