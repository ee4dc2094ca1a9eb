/** Servers that one grant names; who shares more shares all. */
export const MOST_HOSTS = 500

/** Open and active grants of one owner. */
export const MOST_GIVEN = 50

/** Accounts that one person helps. */
export const MOST_RECEIVED = 500
