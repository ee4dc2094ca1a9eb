/** In `sessionStorage`: this tab shows an account to a member of staff as its customer sees it, or one to a helper (acting.ts). */
export const VIEWING = 'view'

export const isViewing = (): boolean => sessionStorage.getItem(VIEWING) !== null
