/**
 * Opens the address in this tab. The form stays busy until the page is left; a customer who returns by 'Back' finds the form usable again.
 */
export async function leaveFor(url: string): Promise<void> {
  window.location.assign(url)
  await new Promise((resolve) => window.addEventListener('pageshow', resolve, { once: true }))
}
