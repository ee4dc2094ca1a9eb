// The pages of the guide work without this file. It gives them the theme that the product has in this browser, keeps the language of the
// examples, and copies them.
const read = (key) => {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}
const dark = matchMedia('(prefers-color-scheme: dark)')
const theme = () => {
  const chosen = read('theme')
  const isDark = chosen === 'dark' || (chosen !== 'light' && dark.matches)
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
}
theme()
dark.addEventListener('change', theme)

addEventListener('DOMContentLoaded', () => {
  if (innerWidth < 832) document.querySelector('.pages details').open = false
  for (const code of document.querySelectorAll('.code')) {
    const button = document.createElement('button')
    button.className = 'copy'
    button.type = 'button'
    button.textContent = 'Copy'
    const copied = () => {
      button.textContent = 'Copied'
      setTimeout(() => (button.textContent = 'Copy'), 2000)
    }
    button.addEventListener('click', () => {
      void navigator.clipboard.writeText(code.querySelector('pre').textContent).then(copied)
    })
    code.append(button)
  }
  const choose = (language) => {
    for (const input of document.querySelectorAll('.tabs > input'))
      if (input.value === language) input.checked = true
  }
  const kept = read('guide_language')
  if (kept) choose(kept)
  document.addEventListener('change', ({ target }) => {
    choose(target.value)
    try {
      localStorage.setItem('guide_language', target.value)
    } catch {
      // The choice then counts for this page.
    }
  })
})
