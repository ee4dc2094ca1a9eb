import { useId } from 'react'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { hotkeys, useHotkeysEnabled } from '#foundation/web/hotkeys.ts'
import { Dialog } from '#foundation/web/ui/dialog.tsx'
import { Kbd } from '#foundation/web/ui/kbd.tsx'
import { m } from '#texts/messages.js'
import { usePageEntries } from './palette-entries.ts'
import { paletteKey } from './palette-key.ts'
import { useIsStaff } from './staff-menu.ts'

/** The list of all shortcuts, with the switch that turns single-letter shortcuts off (WCAG 2.1.4). */
export function ShortcutList({ open, onClose }: DialogProps) {
  const groups = useIsStaff() ? [...everywhere, ...ofStaff] : [...everywhere, ofHelpers]
  const leads = new Set(usePageEntries().map(({ keys }) => keys))
  // A key of a page that this person may not open does nothing, and is not listed.
  const isShown = ({ pressed }: { pressed: string }) =>
    !pressed.startsWith('g ') || pressed === SWITCH || leads.has(pressed)
  return (
    <Dialog open={open} onClose={onClose} title={m.shell_keys()}>
      <div className="flex flex-col gap-5 text-sm">
        {/* The switch is first because it gets the focus: at the end, a phone would open the dialog scrolled down. */}
        <LettersSwitch />
        {groups.map(({ text, keys }) => (
          <section key={text()}>
            <h3 className="mb-2 font-medium text-muted">{text()}</h3>
            <dl className="flex flex-col gap-2.5">
              {keys.filter(isShown).map(({ pressed, does }) => (
                <div key={pressed} className="flex items-center justify-between gap-4">
                  <dt>{does()}</dt>
                  <dd className="flex shrink-0 items-center gap-1.5 text-muted">
                    <Pressed keys={pressed} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}

/** The keys of a shortcut: `g s` means that `g` is pressed first, and `s` after it. */
function Pressed({ keys }: { keys: string }) {
  const [first, second] = keys.split(' ')
  return (
    <>
      <Kbd>{first}</Kbd>
      {second === undefined ? null : (
        <>
          <span>{m.shell_then()}</span> <Kbd>{second}</Kbd>
        </>
      )}
    </>
  )
}

function LettersSwitch() {
  const id = useId()
  const on = useHotkeysEnabled()
  return (
    <div className="flex items-start gap-3 border-b border-line pb-4">
      <input
        id={id}
        type="checkbox"
        checked={on}
        onChange={(event) => hotkeys.switchTo(event.target.checked)}
        aria-describedby={`${id}-note`}
        className="mt-0.5 size-5 shrink-0 cursor-pointer accent-accent"
      />
      <div>
        <label htmlFor={id} className="cursor-pointer font-medium">
          {m.shell_keys_letters()}
        </label>
        <p id={`${id}-note`} className="text-muted">
          {m.shell_keys_letters_note()}
        </p>
      </div>
    </div>
  )
}

const everywhere = [
  {
    text: m.shell_keys_everywhere,
    keys: [
      { pressed: paletteKey, does: m.shell_keys_palette },
      { pressed: 'g s', does: m.shell_keys_servers },
      { pressed: 'g t', does: m.shell_keys_support },
      { pressed: 'g f', does: m.shell_keys_finances },
      { pressed: 'U', does: m.shell_keys_mark_read },
      { pressed: '?', does: m.shell_keys_list },
    ],
  },
  {
    text: m.shell_keys_in_lists,
    keys: [
      { pressed: 'j', does: m.shell_keys_next },
      { pressed: 'k', does: m.shell_keys_previous },
      { pressed: 'Enter', does: m.shell_keys_open },
      { pressed: '/', does: m.shell_keys_search },
    ],
  },
]

/** For staff the same keys lead to Tickets, which all of them may open. */
const SWITCH = 'g a'

const ofHelpers = {
  text: m.sharing_received,
  keys: [{ pressed: SWITCH, does: m.sharing_switch }],
}

const ofStaff = [
  {
    text: m.shell_keys_staff,
    keys: [
      { pressed: 'g a', does: m.shell_keys_desk },
      { pressed: 'g d', does: m.shell_keys_today },
      { pressed: 'g c', does: m.shell_keys_customers },
      { pressed: 'g b', does: m.shell_keys_transfers },
      { pressed: 'g p', does: m.shell_keys_approvals },
      { pressed: 'g l', does: m.shell_keys_catalogue },
      { pressed: 'g i', does: m.shell_keys_invoices },
      { pressed: 'g r', does: m.shell_keys_reports },
      { pressed: 't', does: m.shell_keys_take },
      { pressed: 'r', does: m.shell_keys_reply },
      { pressed: 'i', does: m.shell_keys_note },
      { pressed: 'n', does: m.shell_keys_go_on },
      { pressed: 'x', does: m.desk_keys_select },
      { pressed: 'l', does: m.desk_keys_tags },
      { pressed: 'z', does: m.desk_keys_snooze },
    ],
  },
  {
    text: m.shell_keys_writing,
    keys: [{ pressed: '/', does: m.shell_keys_canned }],
  },
]
