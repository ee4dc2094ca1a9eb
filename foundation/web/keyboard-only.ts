/** True if a pressed key may be a shortcut: in a field, a menu or a dialog letters mean something else. */
export function isShortcutKey({
  ctrlKey,
  metaKey,
  altKey,
  target,
  defaultPrevented,
}: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || defaultPrevented) return false
  return !(target instanceof Element && target.closest(ELSEWHERE) !== null)
}

const ELSEWHERE = 'input, textarea, select, [contenteditable], dialog, [popover]'
