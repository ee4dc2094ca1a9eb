// The viewer's checks would try whether code may be made of text, which our security policy refuses. This file is read before them.
globalThis.__zod_globalConfig = { jitless: true }

// The product's choice of a theme in this browser is the viewer's, too.
try {
  const theme = localStorage.getItem('theme')
  if (theme === 'light' || theme === 'dark') localStorage.setItem('colorMode', theme)
} catch {
  // The viewer then follows the system.
}
